// The deletions in a board's history, so that a second pass over it can skip what they removed.

import type { StoredEvent } from '../domain/event.ts'

/** Estimated bytes of an id or a player besides its text. */
const KEY_BYTES = 100

export class Deletions {
  /** Deleted single submissions: player and id. */
  readonly #ids = new Set<string>()
  /** Player -> revision of the last deletion of all of their submissions. */
  readonly #from = new Map<string, number>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** Records an event if it is a deletion; ignores all others. */
  note({ type, data, meta: { player = '' }, revision }: StoredEvent): void {
    if (type !== 'ScoreDeleted') return
    const size = this.#ids.size + this.#from.size
    const key = data.upTo === null ? keyOf(player, data.id) : player
    if (data.upTo === null) this.#ids.add(key)
    else this.#from.set(key, revision)
    if (this.#ids.size + this.#from.size > size) this.#bytes += KEY_BYTES + key.length
  }

  /** Whether an event is a submission that no recorded deletion removed. */
  keeps({ type, data, meta: { player = '' }, revision }: StoredEvent): boolean {
    if (type !== 'ScoreSubmitted' || revision < (this.#from.get(player) ?? 0)) return false
    return !this.#ids.has(keyOf(player, data.id))
  }
}

/** Player ids have no spaces. */
const keyOf = (player: string, id: unknown): string => `${player} ${String(id)}`
