// Who watches which head of which board on this node. All who watch the same one share it.

import type { RoomConnection } from './room-connection.ts'

/** One head of one board, as this node reads it for all who watch it. */
export interface Head {
  readonly key: string
  readonly game: string
  readonly leaderboard: string
  readonly top: number
  readonly watchers: Set<RoomConnection>
  /** Each row as JSON, by which two readings differ. */
  rows: readonly string[]
  seq: number
  /** Of the views when it was read; undefined: it is to be read again. */
  mark: string | undefined
  /** How many readings were sent. */
  readings: number
  /** When changes were last sent, the latest last; at most one second's worth. */
  toldMs: number[]
}

export type HeadAsked = Pick<Head, 'game' | 'leaderboard' | 'top'>

export class Watches {
  readonly #heads = new Map<string, Head>()
  /** RoomConnection -> leaderboard -> what it watches of it. */
  readonly #own = new Map<RoomConnection, Map<string, Head>>()

  heads(): Head[] {
    return [...this.#heads.values()]
  }

  /** How many the connection watches, one of this board not counted. */
  besides(connection: RoomConnection, leaderboard: string): number {
    const own = this.#own.get(connection)
    return own === undefined ? 0 : own.size - (own.has(leaderboard) ? 1 : 0)
  }

  /** The head that others watch already. */
  find(asked: HeadAsked): Head | undefined {
    return this.#heads.get(keyOf(asked))
  }

  /** The same, or a new one with these rows. */
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
      mark: undefined,
      readings: 0,
      toldMs: [],
    }
    this.#heads.set(key, head)
    return head
  }

  begin(connection: RoomConnection, head: Head): void {
    head.watchers.add(connection)
    const own = this.#own.get(connection) ?? new Map<string, Head>()
    this.#own.set(connection, own.set(head.leaderboard, head))
  }

  /** Whether it was watched. A head that nobody watches any more is forgotten. */
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
