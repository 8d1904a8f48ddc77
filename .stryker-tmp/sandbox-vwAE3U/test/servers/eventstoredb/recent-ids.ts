// The ids that `any` and `stream_exists` are checked against: in memory, bounded, lost at a restart. An id is
// remembered for the stream it came to first.

interface Recent {
  readonly stream: string
  readonly revision: number
}

export class RecentIds {
  readonly #limit: number
  readonly #ids = new Map<string, Recent>()

  constructor(limit: number) {
    this.#limit = limit
  }

  put(id: string, stream: string, revision: number): void {
    if (this.#ids.has(id)) return
    this.#ids.set(id, { stream, revision })
    if (this.#ids.size <= this.#limit) return
    for (const oldest of this.#ids.keys()) {
      this.#ids.delete(oldest)
      return
    }
  }

  get(id: string, stream: string): Recent | null {
    const found = this.#ids.get(id)
    if (found === undefined) return null
    this.#ids.delete(id)
    this.#ids.set(id, found)
    return found.stream === stream ? found : null
  }
}
