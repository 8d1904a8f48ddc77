// Ranks a player's samples among the entries of all other players, while their history is read once. It counts the
// entries between the samples' members, which needs no order. Events are read in log order but belong to instants by
// their times: an event that arrives after later instants were ranked corrects their ranks.

import type { StoredEvent } from '../../domain/event.ts'
import { BoardFold } from '../../ranking/board-fold/board-fold.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { BanChange } from './absences.ts'
import { Bans } from './bans.ts'
import type { PastDeps } from './deps.ts'
import { settle } from './reading.ts'
import type { Sample } from './samples.ts'

export class RanksAmongOthers {
  /** The rank of each sample, from 1, as far as computed. */
  readonly ranks: number[] = []
  readonly #samples: readonly Sample[]
  readonly #bans: Bans
  readonly #fold: BoardFold
  readonly #reading: { readonly log: PastDeps['log']; readonly slices: TimeSlices }
  /**
   * The members of the samples in rank order, and the number of shown entries before the first and between each two.
   */
  readonly #members: readonly string[]
  readonly #counts: Float64Array
  /** The event being applied. */
  #event: StoredEvent | null = null

  /** All samples are of one set of rules, have a member, and are in order of time; so are each player's bans. */
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
    this.#members = [...new Set(samples.map(({ member }) => member ?? ''))].sort()
    this.#counts = new Float64Array(this.#members.length + 1)
    this.#reading = { log, slices }
  }

  get bytes(): number {
    return this.#fold.bytes
  }

  /** Applies the next submission or deletion of the history. */
  async take(event: StoredEvent): Promise<void> {
    while (this.#next !== null && this.#next.time < event.meta.time) await this.#rankNext(this.#next)
    this.#event = event
    this.#fold.take(event, event.meta.player ?? '')
    const { log, slices } = this.#reading
    if (this.#fold.isUnsettled) await settle(this.#fold, log, slices)
  }

  /** The current event adds (+1) or removes (-1) a member. */
  #changed(member: string, by: number): void {
    const { player = '', time } = (this.#event as StoredEvent).meta
    if (!this.#bans.isBanned(player)) this.#count(member, by)
    // It may belong before instants that are ranked already.
    for (let ranked = this.ranks.length - 1; ranked >= 0; ranked--) {
      const sample = this.#samples[ranked] as Sample
      if (sample.time < time) return
      if (member < (sample.member ?? '') && !this.#bans.isBannedAt(player, sample.time)) {
        this.ranks[ranked] = (this.ranks[ranked] as number) + by
      }
    }
  }

  /** Ranks the remaining samples: there are no more events. */
  async end(): Promise<void> {
    for (let next = this.#next; next !== null; next = this.#next) await this.#rankNext(next)
  }

  get #next(): Sample | null {
    return this.#samples[this.ranks.length] ?? null
  }

  async #rankNext({ time, member }: Sample): Promise<void> {
    for (const { player, banned } of this.#bans.until(time)) await this.#show(player, !banned)
    let before = 0
    for (const [at, one] of this.#members.entries()) {
      if (one > (member ?? '')) break
      before += this.#counts[at] as number
    }
    this.ranks.push(before + 1)
  }

  async #show(player: string, isShown: boolean): Promise<void> {
    const { slices } = this.#reading
    for (const member of this.#fold.membersOf(player)) {
      this.#count(member, isShown ? 1 : -1)
      if (slices.due) await slices.yield()
    }
  }

  /** Counts a member under the first sample member that comes after it. */
  #count(member: string, by: number): void {
    let low = 0
    let high = this.#members.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#members[middle] as string) <= member) low = middle + 1
      else high = middle
    }
    this.#counts[low] = (this.#counts[low] as number) + by
  }
}
