// The ban changes of a board's players in order of time.

import type { BanChange } from './absences.ts'

export class Bans {
  readonly #changes: readonly BanChange[]
  readonly #ofPlayer = new Map<string, BanChange[]>()
  readonly #banned = new Set<string>()
  #taken = 0

  /** The changes of each player must be in order of time. */
  constructor(changes: readonly BanChange[]) {
    this.#changes = changes.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
    for (const change of changes) {
      const own = this.#ofPlayer.get(change.player)
      if (own === undefined) this.#ofPlayer.set(change.player, [change])
      else own.push(change)
    }
  }

  /** The changes up to a time that were not returned before, without those that change nothing. */
  *until(time: string): Generator<BanChange> {
    for (let change = this.#changes[this.#taken]; change !== undefined && change.time <= time; ) {
      const { player, banned } = change
      if (this.#banned.has(player) !== banned) {
        if (banned) this.#banned.add(player)
        else this.#banned.delete(player)
        yield change
      }
      change = this.#changes[++this.#taken]
    }
  }

  /** Whether a player is banned after the changes that `until` has returned. */
  isBanned(player: string): boolean {
    return this.#banned.has(player)
  }

  isBannedAt(player: string, time: string): boolean {
    return this.#ofPlayer.get(player)?.findLast((change) => change.time <= time)?.banned === true
  }
}
