// How a player's rank and score moved: each point agrees with the board as of its instant. The history is read once for
// each set of rules that was active at one of the instants.

import type { Decimal } from '../../domain/decimal.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { scoreStream } from '../../domain/score.ts'
import { BoardFold } from '../../ranking/board-fold/board-fold.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import { checkBoardMemory } from '../check-board-memory.ts'
import type { Board } from '../leaderboard.ts'
import { type BanChange, Bans, banChanges, deletedPlayers, isDeleted } from './absences.ts'
import type { PastBoards } from './boards.ts'
import type { FoldingDeps, Instant, PastDeps } from './deps.ts'
import { eventsOf, isScore, settle, streamUpTo } from './reading.ts'
import { type Sample, samplesOf } from './samples.ts'

/** `rank` and `score` are of the player's best entry; null if they had no shown entry then. */
export interface Point {
  readonly time: string
  readonly rank: number | null
  readonly score: Decimal | null
}

/**
 * The points in order of time from the player's first submission on; empty if there is none. `instant.asOf` is the end.
 */
export async function movementOf(
  past: PastBoards,
  board: Board,
  { player, points }: { readonly player: string; readonly points: number },
  instant: Instant,
) {
  const { deps, queue } = past
  if (await isDeleted(deps.queries, player)) return []
  const stream = scoreStream(board.id, player)
  const [first] = await deps.log.readStream(stream, 0, 1)
  if (first === undefined) return []
  const work = async (slices: TimeSlices) => {
    const cut = await past.cuts.of(board.game, instant.asOf)
    if (cut === null) return []
    // The stream may be long, so it is read inside the queue, which bounds how many are held at once.
    const own = (await streamUpTo(deps.log, stream, cut)).filter(isScore)
    if (own.length === 0) return []
    const samples = await samplesOf(past, { board, player, own, points, asOf: instant.asOf, cut }, slices)
    const found = new Map<string, number>()
    for (const some of byRules(samples)) await rank(deps, { board, player, samples: some }, found, slices)
    return samples.map(
      ({ time, sortKey, score }): Point => ({ time, rank: sortKey === null ? null : (found.get(time) ?? null), score }),
    )
  }
  return queue.run(instant, 'past', work)
}

function byRules(samples: readonly Sample[]): Iterable<readonly Sample[]> {
  const groups = new Map<number, Sample[]>()
  for (const sample of samples) {
    if (sample.sortKey === null) continue
    const { generation } = sample.state
    const group = groups.get(generation)
    if (group === undefined) groups.set(generation, [sample])
    else group.push(sample)
  }
  return groups.values()
}

/** Ranks the samples of one set of rules among all other players. */
async function rank(
  deps: FoldingDeps,
  { board, player, samples }: { readonly board: Board; readonly player: string; readonly samples: readonly Sample[] },
  found: Map<string, number>,
  slices: TimeSlices,
): Promise<void> {
  const { queries, log } = deps
  const { game } = board
  const last = samples.at(-1)?.cut
  if (last === undefined) return
  const deleted = new Set(await deletedPlayers(queries, game, null))
  const others = new RanksAmongOthers(samples, await banChanges(queries, { game }, last), log, slices)
  for await (const page of eventsOf(unopened(queries.history), board.id, { after: null, last }, slices)) {
    for (const event of page) {
      const whose = event.meta.player ?? ''
      if (!isScore(event) || whose === player || deleted.has(whose)) continue
      await others.take(event)
      if (slices.due) await slices.yield()
    }
    checkBoardMemory(others.bytes, deps.bytesOfFold)
  }
  await others.end()
  for (const [i, { time }] of samples.entries()) found.set(time, others.ranks[i] as number)
}

// Ranks a player's samples among the entries of all other players, while their history is read once. It counts the
// entries between the samples' sort keys, which needs no order.

class RanksAmongOthers {
  /** The rank of each sample, from 1, as far as computed. */
  readonly ranks: number[] = []
  readonly #samples: readonly Sample[]
  readonly #bans: Bans
  readonly #fold: BoardFold
  readonly #reading: { readonly log: PastDeps['log']; readonly slices: TimeSlices }
  /**
   * The sort keys of the samples in rank order, and the number of shown entries before the first and between each two.
   */
  readonly #sortKeys: readonly string[]
  readonly #counts: Float64Array
  /** Of the event being applied. */
  #player = ''

  /** All samples are of one set of rules, have a sort key, and are in order of their cuts; bans are in log order. */
  constructor(samples: readonly Sample[], bans: readonly BanChange[], log: PastDeps['log'], slices: TimeSlices) {
    const [first] = samples
    if (first === undefined) throw new Error('there is no sample to rank')
    this.#samples = samples
    this.#bans = new Bans(bans)
    this.#fold = new BoardFold(first.state.rules, {
      onChange: (removed, added) => {
        if (removed !== null) this.#changed(removed, -1)
        if (added !== null) this.#changed(added, 1)
      },
    })
    this.#sortKeys = [...new Set(samples.map(({ sortKey }) => sortKey ?? ''))].sort()
    this.#counts = new Float64Array(this.#sortKeys.length + 1)
    this.#reading = { log, slices }
  }

  get bytes(): number {
    return this.#fold.bytes
  }

  /** Applies the next submission or deletion of the history. */
  async take(event: StoredEvent): Promise<void> {
    while (this.#next !== null && this.#next.cut < event.position) await this.#rankNext(this.#next)
    this.#player = event.meta.player ?? ''
    this.#fold.take(event, event.meta.player ?? '')
    const { log, slices } = this.#reading
    if (this.#fold.isUnsettled) await settle(this.#fold, log, slices)
  }

  /** The current event adds (+1) or removes (-1) a sort key. */
  #changed(sortKey: string, by: number): void {
    if (!this.#bans.isBanned(this.#player)) this.#count(sortKey, by)
  }

  /** Ranks the remaining samples: there are no more events. */
  async end(): Promise<void> {
    for (let next = this.#next; next !== null; next = this.#next) await this.#rankNext(next)
  }

  get #next(): Sample | null {
    return this.#samples[this.ranks.length] ?? null
  }

  async #rankNext({ cut, sortKey }: Sample): Promise<void> {
    for (const { player, banned } of this.#bans.until(cut)) await this.#show(player, !banned)
    let before = 0
    for (const [at, one] of this.#sortKeys.entries()) {
      if (one > (sortKey ?? '')) break
      before += this.#counts[at] as number
    }
    this.ranks.push(before + 1)
  }

  async #show(player: string, isShown: boolean): Promise<void> {
    const { slices } = this.#reading
    for (const sortKey of this.#fold.sortKeysOf(player)) {
      this.#count(sortKey, isShown ? 1 : -1)
      if (slices.due) await slices.yield()
    }
  }

  /** Counts a sort key under the first sample sort key that comes after it. */
  #count(sortKey: string, by: number): void {
    let low = 0
    let high = this.#sortKeys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sortKeys[middle] as string) <= sortKey) low = middle + 1
      else high = middle
    }
    this.#counts[low] = (this.#counts[low] as number) + by
  }
}
