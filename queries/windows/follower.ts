// What keeps a board's index of windows at the entries' documents: the events of its game tell whose entries may have
// changed, and those documents say what they are now. So it needs nothing of the process that writes them, and each
// node has its own.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { scoreStream } from '../../domain/score.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'
import { historyPages, unopened, upTo } from '../../stores/contract/history.ts'
import { eventsFrom, type Log } from '../../stores/contract/log.ts'
import type { QueryDeps } from '../deps.ts'
import { viewReached } from '../reached.ts'
import { isShown } from '../scores/entry.ts'
import { Slices } from '../slices.ts'
import { bestInside, memberOfBest, streamOf } from './best.ts'
import type { BestInside, Followed } from './indexed.ts'

export interface FollowDeps extends Pick<QueryDeps, 'history' | 'views' | 'rankings' | 'viewKey'> {
  readonly log: Pick<Log, 'readStream'>
  /** How far a game's history is whole. */
  reached(game: string): Promise<Position | null>
}

/** Events and documents read at once: about a millisecond where a store is in this process. */
const EVENTS = 100
const DOCUMENTS = 100
/** How often it is looked whether the history has come as far as the entries, and for how long between. */
const LOOKS = 20
const LOOK_AGAIN_MS = 5

const OF_PLAYERS: ReadonlySet<string> = new Set(['PlayerBanned', 'PlayerUnbanned', 'PlayerDeleted'])
/** They change entries of the generation that they name, and not by the players of its game. */
const OF_GENERATIONS: ReadonlySet<string> = new Set(['LeaderboardSliceBuilt', 'LeaderboardRulesChanged'])

/** Of a player whose entries may have changed: which ones, and the last event that says so. */
interface Changed {
  readonly ids: Set<string>
  /** More than those: whatever the player has on the board. */
  all: boolean
  at: Position
}

export class Follower {
  readonly #deps: FollowDeps
  readonly #of: Followed
  #at: Position | null
  readonly #changed = new Map<string, Changed>()
  #isVoid = false

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
   * Brings the index to where the entries' documents stood when this was called, or further. False where the history
   * does not come as far. One at a time.
   */
  async catchUp(index: WindowIndex): Promise<boolean> {
    const { views, viewKey } = this.#deps
    const applied = await viewReached(views, viewKey('entries'), this.#of.game)
    const reached = await this.#historyAt(applied)
    if (reached === null) return applied === null
    await this.#note(reached)
    const slices = new Slices()
    for (const [player, changed] of [...this.#changed]) {
      await slices.turnIfDue()
      await this.#set(index, player, changed, slices)
      // What its documents do not have yet is looked at again.
      if (applied !== null && changed.at <= applied) this.#changed.delete(player)
    }
    return true
  }

  async #historyAt(applied: Position | null): Promise<Position | null> {
    for (let look = 0; look < LOOKS; look++) {
      const reached = await this.#deps.reached(this.#of.game)
      if (applied === null || (reached !== null && reached >= applied)) return reached
      await new Promise((again) => setTimeout(again, LOOK_AGAIN_MS))
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
    const changed = this.#changed.get(player) ?? { ids: new Set<string>(), all: false, at }
    changed.at = at
    this.#changed.set(player, changed)
    return changed
  }

  /** What the player's documents say now; an entry without one does not stand. */
  async #set(index: WindowIndex, player: string, { ids, all }: Changed, slices: Slices): Promise<void> {
    const [deps, of] = [this.#deps, this.#of]
    if (of.best) return this.#setBest(index, player, of.best)
    if (all) {
      // An entry has the id of a submission that the player once made.
      for await (const { type, data } of eventsFrom(deps.log, scoreStream(of.board, player), 0, EVENTS)) {
        if (type === 'ScoreSubmitted') ids.add(String(data.id))
      }
    }
    const documents = of.unique ? [of.documentFor(player, '')] : [...ids].map((id) => of.documentFor(player, id))
    const members = new Map([...ids].map((id): [string, string | null] => [id, null]))
    for (let from = 0; from < documents.length; from += DOCUMENTS) {
      const found = await deps.views.get(deps.viewKey('entries'), 'entries', documents.slice(from, from + DOCUMENTS))
      for (const document of found) {
        if (document === null) continue
        const { id, member } = document.body as { id: string; member: string | null }
        members.set(id, isShown(document) ? member : null)
      }
      await slices.turnIfDue()
    }
    for (const [id, member] of members) {
      index.set(id, member)
      if (slices.due) await slices.turn()
    }
  }

  /** The same of the player's best inside a window, for which all that they ever submitted is read. */
  async #setBest(index: WindowIndex, player: string, best: BestInside): Promise<void> {
    const { views, viewKey, log } = this.#deps
    const stream = await streamOf(log, this.#of.board, player)
    const [document = null] = await views.get(viewKey('entries'), 'entries', [this.#of.documentFor(player, '')])
    const event = document !== null && isShown(document) ? bestInside(stream, best) : null
    const own = event === null ? null : String(document?.body.id)
    for (const { type, data } of stream) {
      if (type === 'ScoreSubmitted' && data.id !== own) index.set(String(data.id), null)
    }
    if (event !== null && own !== null) index.set(own, memberOfBest(event, own, best))
  }
}
