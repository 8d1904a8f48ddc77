// The entries of everybody else, ranked, while their history goes by; and at each of some instants how many of them are
// before the player's entry. Events come in the order of the log, and count by their times: where one comes late, after
// instants that it belongs before, what it changes is put right in those.

import type { StoredEvent } from '../../domain/event.ts'
import type { BanChange } from './absences.ts'
import { BoardFold, type Change, type Recall } from './fold.ts'
import type { Mark } from './marks.ts'
import type { Slices } from './slices.ts'

export class OthersRanked {
  /** From 1, of each mark, as far as they are told. */
  readonly ranks: number[] = []
  readonly #marks: readonly Mark[]
  readonly #bans: readonly BanChange[]
  readonly #bansOf = new Map<string, BanChange[]>()
  readonly #fold: BoardFold
  readonly #slices: Slices
  #bansTaken = 0

  /** All marks are of one set of rules, have a member, and come in order; so do each player's bans. */
  constructor(marks: readonly Mark[], bans: readonly BanChange[], slices: Slices) {
    const [first] = marks
    if (first === undefined) throw new Error('there is no instant to rank at')
    this.#marks = marks
    this.#bans = bans.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
    for (const ban of bans) this.#bansOf.set(ban.player, [...(this.#bansOf.get(ban.player) ?? []), ban])
    this.#fold = new BoardFold(first.state.rules)
    this.#slices = slices
  }

  /** Takes the next submission or deletion of the history. */
  async take(event: StoredEvent, recall: Recall): Promise<void> {
    while (this.#next !== null && this.#next.time < event.meta.time) await this.#tell(this.#next)
    const taken = this.#fold.take(event, recall)
    const change = taken instanceof Promise ? await taken : taken
    this.#mend(event, change)
  }

  /** Nothing more comes. */
  async end(): Promise<void> {
    for (let next = this.#next; next !== null; next = this.#next) await this.#tell(next)
  }

  get #next(): Mark | null {
    return this.#marks[this.ranks.length] ?? null
  }

  async #tell({ time, member }: Mark): Promise<void> {
    for (let ban = this.#bans[this.#bansTaken]; ban !== undefined && ban.time <= time; ) {
      await this.#slices.all(this.#fold.showing(ban.player, !ban.banned))
      ban = this.#bans[++this.#bansTaken]
    }
    this.ranks.push(this.#fold.ranked.before(member ?? '') + 1)
  }

  /** In the instants told already that the event belongs before. */
  #mend({ meta }: StoredEvent, { removed, added }: Change): void {
    for (let told = this.ranks.length - 1; told >= 0; told--) {
      const { time, member } = this.#marks[told] as Mark
      if (time < meta.time) return
      if (this.#isBannedAt(meta.player ?? '', time)) continue
      const before = (members: readonly string[]) => members.filter((one) => one < (member ?? '')).length
      this.ranks[told] = (this.ranks[told] as number) + before(added) - before(removed)
    }
  }

  #isBannedAt(player: string, time: string): boolean {
    const last = (this.#bansOf.get(player) ?? []).findLast((ban) => ban.time <= time)
    return last?.banned === true
  }
}
