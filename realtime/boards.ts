// Live boards. A client that watches the head of a leaderboard, or of its current season, receives its rows once, then
// the changes, and all rows again when another season is current. All watchers of one head on this node share one read,
// made when the views have advanced or the season has ended. Each head sends at most BOARD_UPDATES_PER_SECOND updates
// per second.

import type { RoomHolder } from '../commands/room-ticket.ts'
import { Refusal } from '../domain/decider.ts'
import { NO_BOARD } from '../queries/board-key.ts'
import type { LiveBoard, LiveBoardQuery, LiveBoardRefusal } from '../queries/live-board.ts'
import { refusedText } from './client-events.ts'
import { RoomRefusal } from './events.ts'
import { type Batch, batchOf, eventBatch, eventText } from './frames.ts'
import { BOARD_EVERY_MS, BOARD_UPDATES_PER_SECOND, WATCHES_PER_SOCKET } from './limits.ts'
import type { Answers, RoomConnection } from './room-connection.ts'

export interface BoardsDeps {
  /** The id of the leaderboard that a client names by id or key; NO_BOARD for an unknown key. */
  boardIdOf(game: string, given: string): Promise<string>
  /** The top rows of a board, or of its current season. Rejects if the board cannot be read now. */
  liveBoard(query: LiveBoardQuery): Promise<LiveBoard | LiveBoardRefusal>
  /** Game -> a version that differs whenever one of the game's boards may have changed. */
  boardVersions(games: Iterable<string>): Promise<ReadonlyMap<string, string>>
  mayStill(holder: RoomHolder, permission: string): Promise<boolean>
  /** The clock by which seasons end: Unix milliseconds. */
  now(): number
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
  const send: Send = (head, reading) => sendTo(head, reading, elapsedMs())
  const watch = watchAnswer(deps, watches, send)
  const inOrder = inOrderOfArrival()
  let isRefreshing = false
  const timer = setInterval(() => {
    if (isRefreshing) return
    isRefreshing = true
    refreshChanged(deps, watches, send)
      // A store is unavailable, or the views move too fast: the next timer tries again.
      .catch(() => {})
      .finally(() => {
        isRefreshing = false
      })
  }, BOARD_EVERY_MS)
  return {
    answers: {
      watch: (connection, sent, reply) =>
        inOrder(connection, async () => {
          try {
            await watch(connection, sent, reply)
          } catch (error) {
            throw error instanceof Refusal ? new RoomRefusal('unavailable', error.message) : error
          }
        }),
      unwatch: (connection, { leaderboard: given }, reply) =>
        inOrder(connection, async () => {
          // What the client has named before means the same board, even if its key has moved since.
          const watched = watches.named(connection, given)
          const leaderboard = watched ?? (await deps.boardIdOf(connection.holder.game, given))
          watches.end(connection, leaderboard)
          reply('unwatched', () => JSON.stringify({ leaderboard: leaderboard === NO_BOARD ? given : leaderboard }))
        }),
    },
    gone: (connection) => watches.gone(connection),
    stop: () => clearInterval(timer),
  }
}

/**
 * Runs the work for each connection one by one, in the order of the calls, so that the last watch of a leaderboard is
 * the one that remains. PENDING_EVENTS_MAX limits how much of it waits.
 */
function inOrderOfArrival() {
  const last = new WeakMap<RoomConnection, Promise<void>>()
  return (connection: RoomConnection, work: () => Promise<void>): Promise<void> => {
    const before = last.get(connection) ?? Promise.resolve()
    const own = before.then(() => (connection.isGone ? undefined : work()))
    last.set(
      connection,
      own.catch(() => {}),
    )
    return own
  }
}

const permissionFor = (leaderboard: string): string => `lb:${leaderboard}:scores`

/** Sends what differs from the last rows. False if the send rate is reached and nothing was sent. */
type Send = (head: Head, reading: Reading) => boolean

const REFUSED: Readonly<Record<LiveBoardRefusal, (leaderboard: string) => string>> = {
  leaderboard_not_found: () => 'There is no such leaderboard.',
  no_seasons: (leaderboard) => `Leaderboard ${leaderboard} has no open season: watch it without \`season\`.`,
}

const refusalOf = (code: LiveBoardRefusal, leaderboard: string) => new RoomRefusal(code, REFUSED[code](leaderboard))

function watchAnswer(deps: BoardsDeps, watches: Watches, send: Send): Answers['watch'] {
  return async (connection, { leaderboard: given, top, season = null }, reply) => {
    const { game } = connection.holder
    const leaderboard = await deps.boardIdOf(game, given)
    if (!(await deps.mayStill(connection.holder, permissionFor(leaderboard)))) {
      throw new RoomRefusal('permission_needed', `This needs ${permissionFor(given)}.`)
    }
    if (watches.besides(connection, leaderboard) >= WATCHES_PER_SOCKET) {
      throw new RoomRefusal('too_fast', `One connection watches at most ${WATCHES_PER_SOCKET} leaderboards.`)
    }
    const asked = { game, leaderboard, top, season }
    const readings = watches.find(asked)?.readings ?? 0
    // Take the version before reading, so that a change in between is read again.
    const version = (await deps.boardVersions([game])).get(game)
    const reading = await read(deps, asked)
    if (typeof reading === 'string') throw refusalOf(reading, given)
    if (connection.isGone) return
    watches.end(connection, leaderboard)
    const head = watches.head(asked, reading)
    // The new watcher receives the same rows as the others, then the same changes.
    take(head, { reading, version, readings }, send)
    watches.begin(connection, head, given)
    reply('board', () => boardBody(head))
  }
}

/** What one read of a head found. */
interface Reading {
  /** Each row as JSON, so that two reads can be compared. */
  readonly rows: readonly string[]
  /** The number of the season; null if none is watched. */
  readonly season: number | null
  /** When another season is current (Unix milliseconds), whether the views have advanced or not; null: not known. */
  readonly endsMs: number | null
}

async function read(
  deps: BoardsDeps,
  { game, leaderboard, top, season }: LiveBoardQuery,
): Promise<Reading | LiveBoardRefusal> {
  const found = await deps.liveBoard({ game, leaderboard, top, season })
  if (typeof found === 'string') return found
  const rows = found.rows.map((row) => JSON.stringify(row))
  return { rows, season: found.season?.number ?? null, endsMs: found.season?.endsMs ?? null }
}

async function refreshChanged(deps: BoardsDeps, watches: Watches, send: Send): Promise<void> {
  const heads = watches.heads()
  if (heads.length === 0) return
  const versions = await deps.boardVersions(new Set(heads.map(({ game }) => game)))
  for (const head of heads) {
    const version = versions.get(head.game)
    const { endsMs } = head.reading
    if (head.version === version && (endsMs === null || deps.now() < endsMs)) continue
    // A board that cannot be read keeps its version, so the next run retries it. It does not delay the others.
    await refresh(deps, watches, { head, version, send }).catch(() => {})
  }
}

interface HeadRefresh extends Pick<Head, 'version'> {
  readonly head: Head
  readonly send: Send
}

async function refresh(deps: BoardsDeps, watches: Watches, { head, version, send }: HeadRefresh): Promise<void> {
  const { leaderboard } = head
  const unwatched = eventBatch('unwatched', { leaderboard })
  const drop = (connection: RoomConnection, batch: Batch) => {
    if (watches.end(connection, leaderboard)) connection.socketWriter.push(batch)
  }
  const permission = permissionFor(leaderboard)
  for (const one of [...head.watchers]) if (!(await deps.mayStill(one.holder, permission))) drop(one, unwatched)
  const { readings } = head
  const reading = await read(deps, head)
  if (typeof reading !== 'string') take(head, { reading, version, readings }, send)
  // A new watcher has read the head since: read it again.
  else if (head.readings !== readings) head.version = undefined
  else {
    const refused = refusedText('watch', refusalOf(reading, leaderboard))
    const batch = reading === 'no_seasons' ? batchOf([refused, ...unwatched.texts]) : unwatched
    for (const one of [...head.watchers]) drop(one, batch)
  }
}

/**
 * If another reading was sent since this one began, their order is unknown: that one counts, and the board is read
 * again. The same if the send rate is reached.
 */
function take(
  head: Head,
  { reading, version, readings }: Pick<Head, 'reading' | 'version' | 'readings'>,
  send: Send,
): void {
  if (head.readings !== readings || !send(head, reading)) {
    head.version = undefined
    return
  }
  head.readings++
  head.version = version
}

/** Sends the watchers the ranks whose row changed, or all rows of another season. */
function sendTo(head: Head, reading: Reading, nowMs: number): boolean {
  const isSameSeason = head.reading.season === reading.season
  const changes = isSameSeason ? changesBetween(head.reading.rows, reading.rows) : []
  if (isSameSeason && changes.length === 0) {
    head.reading = reading
    return true
  }
  head.sentMs = head.sentMs.filter((ms) => nowMs - ms < SECOND_MS)
  if (head.sentMs.length >= BOARD_UPDATES_PER_SECOND) return false
  head.sentMs.push(nowMs)
  head.reading = reading
  head.seq++
  const text = isSameSeason
    ? eventText('board_changed', bodyOf(head, `"changes":[${changes.join(',')}]`))
    : eventText('board', boardBody(head))
  const batch = batchOf([text])
  for (const { socketWriter } of head.watchers) socketWriter.push(batch)
  return true
}

/** The changed ranks as JSON; a null row means that the rank is empty now. */
function changesBetween(before: readonly string[], rows: readonly string[]): string[] {
  const changes: string[] = []
  for (let i = 0; i < Math.max(before.length, rows.length); i++) {
    if (before[i] !== rows[i]) changes.push(`{"rank":${i + 1},"score":${rows[i] ?? 'null'}}`)
  }
  return changes
}

const boardBody = (head: Head): string => bodyOf(head, `"scores":[${head.reading.rows.join(',')}]`)

/** `content`: the field with the rows or their changes, as JSON. */
function bodyOf({ leaderboard, reading: { season }, seq }: Head, content: string): string {
  const shownSeason = season === null ? '' : `"season":${season},`
  return `{"leaderboard":${JSON.stringify(leaderboard)},${shownSeason}${content},"seq":${seq}}`
}

// The watched heads on this node. All connections that watch one head share it.

/** The top rows of one board, or of its current season, as this node last sent them to the watchers. */
interface Head extends LiveBoardQuery {
  readonly key: string
  readonly watchers: Set<RoomConnection>
  reading: Reading
  /** Number of updates sent. */
  seq: number
  /** The version of the game's boards before the last read; undefined if the head must be read again. */
  version: string | undefined
  /** Number of reads whose rows were sent. */
  readings: number
  /** Times of the updates of the last second, in order. */
  sentMs: number[]
}

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
  find(asked: LiveBoardQuery): Head | undefined {
    return this.#heads.get(keyOf(asked))
  }

  /** The existing head, or a new one as it was read. */
  head(asked: LiveBoardQuery, reading: Reading): Head {
    const key = keyOf(asked)
    const head = this.#heads.get(key) ?? {
      ...asked,
      key,
      watchers: new Set(),
      reading,
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

const keyOf = ({ game, leaderboard, top, season }: LiveBoardQuery): string => `${game} ${leaderboard} ${top} ${season}`
