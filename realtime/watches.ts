// The watched heads of leaderboards on this node. All connections that watch one head share it.

import type { RoomConnection } from './room-connection.ts'

/** The top rows of one board, as this node last sent them to the watchers. */
export interface Head {
  readonly key: string
  readonly game: string
  readonly leaderboard: string
  readonly top: number
  readonly watchers: Set<RoomConnection>
  /** Each row as JSON, so that two reads can be compared. */
  rows: readonly string[]
  seq: number
  /** The version of the game's boards before the last read; undefined if the head must be read again. */
  version: string | undefined
  /** Number of reads whose rows were sent. */
  readings: number
  /** Times of the updates of the last second, in order. */
  sentMs: number[]
}

export type HeadAsked = Pick<Head, 'game' | 'leaderboard' | 'top'>

export class Watches {
  readonly #heads = new Map<string, Head>()
  /** Connection -> leaderboard -> the head that it watches. */
  readonly #own = new Map<RoomConnection, Map<string, Head>>()

  heads(): Head[] {
    return [...this.#heads.values()]
  }

  /** Number of other leaderboards that the connection watches. */
  besides(connection: RoomConnection, leaderboard: string): number {
    const own = this.#own.get(connection)
    return own === undefined ? 0 : own.size - (own.has(leaderboard) ? 1 : 0)
  }

  /** The head, if it has watchers. */
  find(asked: HeadAsked): Head | undefined {
    return this.#heads.get(keyOf(asked))
  }

  /** The existing head, or a new one with these rows. */
  head(asked: HeadAsked, rows: readonly string[]): Head {
    const key = keyOf(asked)
    const { game, leaderboard, top } = asked
    const head = this.#heads.get(key) ?? {
      key,
      game,
      leaderboard,
      top,
      watchers: new Set(),
      rows,
      seq: 0,
      version: undefined,
      readings: 0,
      sentMs: [],
    }
    this.#heads.set(key, head)
    return head
  }

  begin(connection: RoomConnection, head: Head): void {
    head.watchers.add(connection)
    const own = this.#own.get(connection) ?? new Map<string, Head>()
    this.#own.set(connection, own.set(head.leaderboard, head))
  }

  /** Ends the watch; false if there was none. A head without watchers is deleted. */
  end(connection: RoomConnection, leaderboard: string): boolean {
    const own = this.#own.get(connection)
    const head = own?.get(leaderboard)
    if (own === undefined || head === undefined) return false
    own.delete(leaderboard)
    if (own.size === 0) this.#own.delete(connection)
    head.watchers.delete(connection)
    if (head.watchers.size === 0) this.#heads.delete(head.key)
    return true
  }

  gone(connection: RoomConnection): void {
    for (const leaderboard of [...(this.#own.get(connection)?.keys() ?? [])]) this.end(connection, leaderboard)
  }
}

const keyOf = ({ game, leaderboard, top }: HeadAsked): string => `${game} ${leaderboard} ${top}`
