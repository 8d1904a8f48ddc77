// Live boards. A client that watches the head of a leaderboard receives its rows once, then the changes. All watchers
// of one head on this node share one read, made when the views have advanced. Each head sends at most
// BOARD_UPDATES_PER_SECOND updates per second.

import type { RoomHolder } from '../commands/room-ticket.ts'
import { Refusal } from '../domain/decider.ts'
import { NO_BOARD } from '../queries/board-key.ts'
import type { LiveRow } from '../queries/live-board.ts'
import { RoomRefusal } from './events.ts'
import { batchOf, eventBatch, eventText } from './frames.ts'
import { BOARD_EVERY_MS, BOARD_UPDATES_PER_SECOND, WATCHES_PER_SOCKET } from './limits.ts'
import type { Answers, RoomConnection } from './room-connection.ts'

export interface BoardsDeps {
  /** The id of the leaderboard that a client names by id or key; NO_BOARD for an unknown key. */
  boardIdOf(game: string, given: string): Promise<string>
  /** The top rows of a board; null if the game has no such board. Rejects if the board cannot be read now. */
  liveBoard(game: string, leaderboard: string, top: number): Promise<readonly LiveRow[] | null>
  /** Game -> a version that differs whenever one of the game's boards may have changed. */
  boardVersions(games: Iterable<string>): Promise<ReadonlyMap<string, string>>
  mayStill(holder: RoomHolder, permission: string): Promise<boolean>
}

export interface Boards {
  readonly answers: Pick<Answers, 'watch' | 'unwatch'>
  gone(connection: RoomConnection): void
  stop(): void
}

const SECOND_MS = 1_000

/** `elapsedMs` must be monotonic. */
export function createBoards(deps: BoardsDeps, elapsedMs: () => number = () => performance.now()): Boards {
  const watches = new Watches()
  const sendChanges: SendChanges = (head, rows) => sendChangesTo(head, rows, elapsedMs())
  const watch = watchAnswer(deps, watches, sendChanges)
  let isRefreshing = false
  const timer = setInterval(() => {
    if (isRefreshing) return
    isRefreshing = true
    refreshChanged(deps, watches, sendChanges)
      // A store is unavailable, or the views move too fast: the next timer tries again.
      .catch(() => {})
      .finally(() => {
        isRefreshing = false
      })
  }, BOARD_EVERY_MS)
  return {
    answers: {
      watch: async (...args) => {
        try {
          await watch(...args)
        } catch (error) {
          throw error instanceof Refusal ? new RoomRefusal('unavailable', error.message) : error
        }
      },
      unwatch: async (connection, { leaderboard: given }, reply) => {
        // What the client has named before means the same board, even if its key has moved since.
        const watched = watches.named(connection, given)
        const leaderboard = watched ?? (await deps.boardIdOf(connection.holder.game, given))
        watches.end(connection, leaderboard)
        reply('unwatched', () => JSON.stringify({ leaderboard: leaderboard === NO_BOARD ? given : leaderboard }))
      },
    },
    gone: (connection) => watches.gone(connection),
    stop: () => clearInterval(timer),
  }
}

const permissionFor = (leaderboard: string): string => `lb:${leaderboard}:scores`

/** Sends the changes. False if the send rate is reached and nothing was sent. */
type SendChanges = (head: Head, rows: readonly string[]) => boolean

function watchAnswer(deps: BoardsDeps, watches: Watches, sendChanges: SendChanges): Answers['watch'] {
  const checkCount = (connection: RoomConnection, leaderboard: string) => {
    if (watches.besides(connection, leaderboard) < WATCHES_PER_SOCKET) return
    throw new RoomRefusal('too_fast', `One connection watches at most ${WATCHES_PER_SOCKET} leaderboards.`)
  }
  return async (connection, { leaderboard: given, top }, reply) => {
    const { game } = connection.holder
    const leaderboard = await deps.boardIdOf(game, given)
    if (!(await deps.mayStill(connection.holder, permissionFor(leaderboard)))) {
      throw new RoomRefusal('permission_needed', `This needs ${permissionFor(given)}.`)
    }
    checkCount(connection, leaderboard)
    const asked = { game, leaderboard, top }
    const readings = watches.find(asked)?.readings ?? 0
    // Take the version before reading, so that a change in between is read again.
    const version = (await deps.boardVersions([game])).get(game)
    const rows = await read(deps, asked)
    if (rows === null) throw new RoomRefusal('leaderboard_not_found', 'There is no such leaderboard.')
    if (connection.isGone) return
    watches.end(connection, leaderboard)
    // Check again: the connection may have started other watches during the read.
    checkCount(connection, leaderboard)
    const head = watches.head(asked, rows)
    // The new watcher receives the same rows as the others, then the same changes.
    take(head, { rows, version, readings }, sendChanges)
    watches.begin(connection, head, given)
    const scores = head.rows.join(',')
    reply('board', () => `{"leaderboard":${JSON.stringify(leaderboard)},"scores":[${scores}],"seq":${head.seq}}`)
  }
}

async function read(deps: BoardsDeps, { game, leaderboard, top }: HeadAsked): Promise<readonly string[] | null> {
  const rows = await deps.liveBoard(game, leaderboard, top)
  return rows?.map((row) => JSON.stringify(row)) ?? null
}

async function refreshChanged(deps: BoardsDeps, watches: Watches, sendChanges: SendChanges): Promise<void> {
  const heads = watches.heads()
  if (heads.length === 0) return
  const versions = await deps.boardVersions(new Set(heads.map(({ game }) => game)))
  for (const head of heads) {
    const version = versions.get(head.game)
    if (head.version === version) continue
    // A board that cannot be read keeps its version, so the next run retries it. It does not delay the others.
    await refresh(deps, watches, { head, version, sendChanges }).catch(() => {})
  }
}

interface HeadRefresh extends Pick<Head, 'version'> {
  readonly head: Head
  readonly sendChanges: SendChanges
}

async function refresh(deps: BoardsDeps, watches: Watches, { head, version, sendChanges }: HeadRefresh): Promise<void> {
  const drop = (connection: RoomConnection) => {
    const { leaderboard } = head
    if (watches.end(connection, leaderboard)) connection.socketWriter.push(eventBatch('unwatched', { leaderboard }))
  }
  const permission = permissionFor(head.leaderboard)
  for (const one of [...head.watchers]) if (!(await deps.mayStill(one.holder, permission))) drop(one)
  const { readings } = head
  const rows = await read(deps, head)
  if (rows === null) for (const one of [...head.watchers]) drop(one)
  else take(head, { rows, version, readings }, sendChanges)
}

/**
 * If another reading was sent since this one began, their order is unknown: that one counts, and the board is read
 * again. The same if the send rate is reached.
 */
function take(
  head: Head,
  { rows, version, readings }: Pick<Head, 'rows' | 'version' | 'readings'>,
  sendChanges: SendChanges,
): void {
  if (head.readings !== readings || !sendChanges(head, rows)) {
    head.version = undefined
    return
  }
  head.readings++
  head.version = version
}

/** Sends the watchers the ranks whose row changed; a null row means that the rank is empty now. */
function sendChangesTo(head: Head, rows: readonly string[], nowMs: number): boolean {
  const before = head.rows
  const changes: string[] = []
  for (let i = 0; i < Math.max(before.length, rows.length); i++) {
    if (before[i] !== rows[i]) changes.push(`{"rank":${i + 1},"score":${rows[i] ?? 'null'}}`)
  }
  if (changes.length === 0) return true
  head.sentMs = head.sentMs.filter((ms) => nowMs - ms < SECOND_MS)
  if (head.sentMs.length >= BOARD_UPDATES_PER_SECOND) return false
  head.sentMs.push(nowMs)
  head.rows = rows
  head.seq++
  const body = `{"leaderboard":${JSON.stringify(head.leaderboard)},"changes":[${changes.join(',')}],"seq":${head.seq}}`
  const batch = batchOf([eventText('board_changed', body)])
  for (const { socketWriter } of head.watchers) socketWriter.push(batch)
  return true
}

// The watched heads on this node. All connections that watch one head share it.

/** The top rows of one board, as this node last sent them to the watchers. */
interface Head {
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

type HeadAsked = Pick<Head, 'game' | 'leaderboard' | 'top'>

interface Watch {
  readonly head: Head
  /** The id or key with which the client named the leaderboard. */
  readonly given: string
}

class Watches {
  readonly #heads = new Map<string, Head>()
  /** Connection -> leaderboard -> what it watches. */
  readonly #own = new Map<RoomConnection, Map<string, Watch>>()

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

  /** The leaderboard that the connection watches and has named so last; null if there is none. */
  named(connection: RoomConnection, given: string): string | null {
    const own = [...(this.#own.get(connection)?.values() ?? [])]
    return own.findLast((one) => one.given === given)?.head.leaderboard ?? null
  }

  begin(connection: RoomConnection, head: Head, given: string): void {
    head.watchers.add(connection)
    const own = this.#own.get(connection) ?? new Map<string, Watch>()
    this.#own.set(connection, own.set(head.leaderboard, { head, given }))
  }

  /** Ends the watch; false if there was none. A head without watchers is deleted. */
  end(connection: RoomConnection, leaderboard: string): boolean {
    const own = this.#own.get(connection)
    const head = own?.get(leaderboard)?.head
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
