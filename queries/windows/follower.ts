// What keeps a board's index of windows at the entries' documents: the events of its game tell whose entries may have
// changed, and those documents say what they are now. So it needs nothing of the process that writes them, and each
// node has its own.

import type { Position, StoredEvent } from '../../domain/event.ts'
import type { IndexChange, WindowIndex } from '../../ranking/window-index.ts'
import { TimeSlices } from '../../scheduling/time-slices.ts'
import type { Log } from '../../stores/contract/log.ts'
import { historyPages, unopened, upTo } from '../../stores/support/history-pages.ts'
import type { QueryDeps } from '../deps.ts'
import { viewReached } from '../reached.ts'
import type { Followed } from './indexed.ts'
import { type Changed, type PlayerRead, readPlayer } from './read-player.ts'

export interface FollowDeps extends Pick<QueryDeps, 'history' | 'views' | 'rankings' | 'viewKey'> {
  readonly log: Pick<Log, 'readStream'>
  /** How far a game's history is whole. */
  reached(game: string): Promise<Position | null>
}

/** Events read at once: about a millisecond where a store is in this process. */
const EVENTS = 100
/** How often it is checked whether history, checkpoint and documents agree, and how long it waits in between. */
const LOOKS = 20
const LOOK_AGAIN_MS = 5

/** Less than any position. */
const BEFORE_ALL: Position = ''

const OF_PLAYERS: ReadonlySet<string> = new Set(['PlayerBanned', 'PlayerUnbanned', 'PlayerDeleted'])
/** They change entries of the generation that they name, and not by the players of its game. */
const OF_GENERATIONS: ReadonlySet<string> = new Set(['LeaderboardSliceBuilt', 'LeaderboardRulesChanged'])

/** What has been read, in this round of reading and those before it. */
interface Round {
  readonly reads: Map<string, PlayerRead>
  /** How far the entries are, as read in this round. */
  readonly applied: Position
  readonly slices: TimeSlices
}

export class Follower {
  readonly #deps: FollowDeps
  readonly #of: Followed
  #at: Position | null
  readonly #changed = new Map<string, Changed>()
  #isVoid = false
  /** Whether it has caught up since the index was made. Before that the index may be ahead of the documents. */
  #isWhole = false

  /** `at`: the index has every event up to there. */
  constructor(deps: FollowDeps, of: Followed, at: Position | null) {
    this.#deps = deps
    this.#of = of
    this.#at = at
  }

  /** Its generation was built further: what was indexed is not what stands. */
  get isVoid(): boolean {
    return this.#isVoid
  }

  /**
   * Brings the index to where the entries' documents were when this was called, or further: to what they say at one
   * position. False where the history does not come as far, or the documents of no position could be read. One at a time.
   */
  async catchUp(index: WindowIndex): Promise<boolean> {
    const { views, viewKey } = this.#deps
    const reads = new Map<string, PlayerRead>()
    const slices = new TimeSlices()
    for (let look = 0; look < LOOKS; look++) {
      const checkpoint = await viewReached(views, viewKey('entries'), this.#of.game)
      const reached = await this.#historyAt(checkpoint)
      if (reached === null) return checkpoint === null
      await this.#note(reached)
      const applied = checkpoint ?? BEFORE_ALL
      const found = await this.#readAll(index, { reads, applied, slices })
      if (found === 'agree') {
        await this.#apply(index, { reads, applied, slices })
        return true
      }
      if (found === 'ahead') await lookAgain()
    }
    return false
  }

  /**
   * Reads what may have changed up to `applied`. `agree`: all of it is what the documents were at that position; `ahead`: a
   * document is not. What an earlier round has read stays right unless a later event changes the same player. A
   * missing document does not say when it was removed: one more round tells, as an event after `applied` would be known by then.
   */
  async #readAll(index: WindowIndex, { reads, applied, slices }: Round): Promise<'agree' | 'ahead' | 'missing'> {
    let found: 'agree' | 'ahead' | 'missing' = 'agree'
    for (const [player, changed] of this.#changed) {
      // The index is right for players whose changes are all later.
      if (this.#isWhole && !changed.at.some((position) => position <= applied)) continue
      const before = reads.get(player)
      const isBetween = (position: Position) => before && position > before.applied && position <= applied
      if (before?.isOfApplied && !changed.at.some(isBetween)) continue
      await slices.yieldIfDue()
      const read = await readPlayer({ ...this.#deps, of: this.#of, index, applied, slices }, player, changed)
      reads.set(player, read)
      if (!read.isOfApplied) found = 'ahead'
      else if (read.hasMissing && found === 'agree') found = 'missing'
    }
    return found
  }

  /** In one turn where that takes no more than a slice; otherwise the index is moving meanwhile. */
  async #apply(index: WindowIndex, { reads, applied, slices }: Round): Promise<void> {
    const changes: IndexChange[] = []
    for (const read of reads.values()) {
      await slices.yieldIfDue()
      for (const change of read.changes) changes.push(change)
    }
    if (changes.length > 0) {
      await slices.yieldIfDue()
      await slices.all(index.setAll(changes))
    }
    this.#isWhole = true
    for (const [player, changed] of this.#changed) {
      // What its documents do not have yet is read again.
      changed.at = changed.at.filter((position) => position > applied)
      if (changed.at.length === 0) this.#changed.delete(player)
    }
  }

  async #historyAt(applied: Position | null): Promise<Position | null> {
    for (let look = 0; look < LOOKS; look++) {
      const reached = await this.#deps.reached(this.#of.game)
      if (applied === null || (reached !== null && reached >= applied)) return reached
      await lookAgain()
    }
    return null
  }

  /** Of what lies beyond `reached`, some may be there and some not. */
  async #note(reached: Position): Promise<void> {
    const asked = { after: this.#at, isIn: upTo(reached), limit: EVENTS }
    for await (const page of historyPages(unopened(this.#deps.history), { game: this.#of.game }, asked)) {
      for (const event of page) this.#noteOne(event)
      this.#at = page.at(-1)?.position ?? this.#at
    }
  }

  #noteOne({ type, data, meta, position }: StoredEvent): void {
    const { board, generation, unique } = this.#of
    const { player = '' } = meta
    if (OF_PLAYERS.has(type)) this.#changes(player, position).all = true
    if (meta.board !== board) return
    if (OF_GENERATIONS.has(type) && data.generation === generation) this.#isVoid = true
    if (type !== 'ScoreSubmitted' && type !== 'ScoreDeleted') return
    const changed = this.#changes(player, position)
    changed.ids.add(String(data.id))
    // Made under rules of the other kind, it takes another entry than the one that it names, or more.
    if (type === 'ScoreDeleted' && unique !== (data.upTo !== null)) changed.all = true
  }

  #changes(player: string, at: Position): Changed {
    const changed = this.#changed.get(player) ?? { ids: new Set<string>(), all: false, at: [] }
    changed.at.push(at)
    this.#changed.set(player, changed)
    return changed
  }
}

const lookAgain = () => new Promise<void>((again) => setTimeout(again, LOOK_AGAIN_MS))
