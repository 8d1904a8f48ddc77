// The entries of everybody else, while their history goes by; and at each of some instants how many of them are before
// the player's entry. They are counted between the few entries that the player had, and need no order. Events come in
// the order of the log, and count by their times: where one comes late, after instants that it belongs before, what it
// changes is put right in those.

import { BoardFold } from '../../board-fold/board-fold.ts'
import type { StoredEvent } from '../../domain/event.ts'
import type { TimeSlices } from '../../scheduling/time-slices.ts'
import type { BanChange } from './absences.ts'
import { Bans } from './bans.ts'
import type { PastDeps } from './deps.ts'
import type { Mark } from './marks.ts'
import { settle } from './reading.ts'

export class OthersRanked {
  /** The rank at each mark, from 1, where known. */
  readonly ranks: number[] = []
  readonly #marks: readonly Mark[]
  readonly #bans: Bans
  readonly #fold: BoardFold
  readonly #reading: { readonly log: PastDeps['log']; readonly slices: TimeSlices }
  /**
   * The members of the marks, in rank order; and how many entries that are shown lie before the
   * first, then before each next one.
   */
  readonly #members: readonly string[]
  readonly #counts: Float64Array
  /** The one that is taken. */
  #event: StoredEvent | null = null

  /** All marks are of one set of rules, have a member, and come in order; so do each player's bans. */
  constructor(marks: readonly Mark[], bans: readonly BanChange[], log: PastDeps['log'], slices: TimeSlices) {
    const [first] = marks
    if (first === undefined) throw new Error('there is no instant to rank at')
    this.#marks = marks
    this.#bans = new Bans(bans)
    this.#fold = new BoardFold(first.state.rules, {
      onChange: (removed, added) => {
        if (removed !== null) this.#changed(removed, -1)
        if (added !== null) this.#changed(added, 1)
      },
    })
    this.#members = [...new Set(marks.map(({ member }) => member ?? ''))].sort()
    this.#counts = new Float64Array(this.#members.length + 1)
    this.#reading = { log, slices }
  }

  get bytes(): number {
    return this.#fold.bytes
  }

  /** Takes the next submission or deletion of the history. */
  async take(event: StoredEvent): Promise<void> {
    while (this.#next !== null && this.#next.time < event.meta.time) await this.#tell(this.#next)
    this.#event = event
    this.#fold.take(event, event.meta.player ?? '')
    const { log, slices } = this.#reading
    if (this.#fold.isUnsettled) await settle(this.#fold, log, slices)
  }

  /** The event that is taken adds or removes a member. */
  #changed(member: string, by: number): void {
    const { player = '', time } = (this.#event as StoredEvent).meta
    if (!this.#bans.isBanned(player)) this.#count(member, by)
    // It may belong before instants whose ranks are known already.
    for (let told = this.ranks.length - 1; told >= 0; told--) {
      const mark = this.#marks[told] as Mark
      if (mark.time < time) return
      if (member < (mark.member ?? '') && !this.#bans.isBannedAt(player, mark.time)) {
        this.ranks[told] = (this.ranks[told] as number) + by
      }
    }
  }

  /** Nothing more comes. */
  async end(): Promise<void> {
    for (let next = this.#next; next !== null; next = this.#next) await this.#tell(next)
  }

  get #next(): Mark | null {
    return this.#marks[this.ranks.length] ?? null
  }

  async #tell({ time, member }: Mark): Promise<void> {
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

  /** Under the first of the marks' members that comes after it. */
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
