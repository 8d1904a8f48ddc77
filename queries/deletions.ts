// The deletions in a board's history, so that a second reading can pass over what they removed.

import type { StoredEvent } from '../domain/event.ts'

/** Of memory, for an id or a player, beside its text. */
const KEY_BYTES = 100

export class Deletions {
  /** Ids of single submissions that were deleted, each with its player. */
  readonly #ids = new Set<string>()
  /** By player: the revision of the last deletion of all of their submissions so far. */
  readonly #from = new Map<string, number>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** Notes an event that is a deletion; ignores all others. */
  note({ type, data, meta: { player = '' }, revision }: StoredEvent): void {
    if (type !== 'ScoreDeleted') return
    const size = this.#ids.size + this.#from.size
    const key = data.upTo === null ? keyOf(player, data.id) : player
    if (data.upTo === null) this.#ids.add(key)
    else this.#from.set(key, revision)
    if (this.#ids.size + this.#from.size > size) this.#bytes += KEY_BYTES + key.length
  }

  /** Whether an event is a submission that no deletion noted here removed. */
  leave({ type, data, meta: { player = '' }, revision }: StoredEvent): boolean {
    if (type !== 'ScoreSubmitted' || revision < (this.#from.get(player) ?? 0)) return false
    return !this.#ids.has(keyOf(player, data.id))
  }
}

/** No player's id has a space. */
const keyOf = (player: string, id: unknown): string => `${player} ${String(id)}`
