// Live boards: a client that watches the head of a leaderboard gets it once, and then its changes. All who watch
// the same head on this node share one read, made when the views have advanced; they are notified at most four
// times a second.

import type { RoomHolder } from '../commands/room-ticket.ts'
import { Refusal } from '../domain/decider.ts'
import type { LiveRow } from '../queries/live-board.ts'
import { RoomRefusal } from './events.ts'
import { batchOf, eventBatch, eventText } from './frames.ts'
import { BOARD_EVERY_MS, BOARD_TOLD_MOST, WATCHES_PER_SOCKET } from './limits.ts'
import type { Answers, RoomConnection } from './room-connection.ts'
import { type Head, type HeadAsked, Watches } from './watches.ts'

export interface BoardsDeps {
  /** The best of a board; null where the game has no such board. Rejects where it cannot be read now. */
  liveBoard(game: string, leaderboard: string, top: number): Promise<readonly LiveRow[] | null>
  /** Game -> a mark that is another one where a board of it may have changed. */
  boardVersions(games: Iterable<string>): Promise<ReadonlyMap<string, string>>
  mayStill(holder: RoomHolder, permission: string): Promise<boolean>
}

export interface Boards {
  readonly answers: Pick<Answers, 'watch' | 'unwatch'>
  gone(connection: RoomConnection): void
  stop(): void
}

const SECOND_MS = 1_000

/** `elapsedMs`: a clock that never runs backwards. */
export function createBoards(deps: BoardsDeps, elapsedMs: () => number = () => performance.now()): Boards {
  const watches = new Watches()
  const tell: Tell = (head, rows) => tellChanges(head, rows, elapsedMs())
  const watch = watchAnswer(deps, watches, tell)
  let isLooking = false
  const looking = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look(deps, watches, tell)
      // A store is away, or the views move too fast: it is looked at again.
      .catch(() => {})
      .finally(() => {
        isLooking = false
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
      unwatch: (connection, { leaderboard }, reply) => {
        watches.end(connection, leaderboard)
        reply('unwatched', () => JSON.stringify({ leaderboard }))
      },
    },
    gone: (connection) => watches.gone(connection),
    stop: () => clearInterval(looking),
  }
}

const permissionFor = (leaderboard: string): string => `lb:${leaderboard}:scores`

/** False if it must wait: nothing was sent. */
type Tell = (head: Head, rows: readonly string[]) => boolean

function watchAnswer(deps: BoardsDeps, watches: Watches, tell: Tell): Answers['watch'] {
  const checkCount = (connection: RoomConnection, leaderboard: string) => {
    if (watches.besides(connection, leaderboard) < WATCHES_PER_SOCKET) return
    throw new RoomRefusal('too_fast', `One connection watches at most ${WATCHES_PER_SOCKET} leaderboards.`)
  }
  return async (connection, { leaderboard, top }, reply) => {
    const permission = permissionFor(leaderboard)
    if (!(await deps.mayStill(connection.holder, permission))) {
      throw new RoomRefusal('permission_needed', `This needs ${permission}.`)
    }
    checkCount(connection, leaderboard)
    const { game } = connection.holder
    const asked = { game, leaderboard, top }
    const readings = watches.find(asked)?.readings ?? 0
    // Marked before it is read: what comes between is read again.
    const mark = (await deps.boardVersions([game])).get(game)
    const rows = await read(deps, asked)
    if (rows === null) throw new RoomRefusal('leaderboard_not_found', 'There is no such leaderboard.')
    if (connection.isGone) return
    watches.end(connection, leaderboard)
    // Asked again: others of its own may have come in while this one was read.
    checkCount(connection, leaderboard)
    const head = watches.head(asked, rows)
    // Whoever comes hears what the others have by now, and the rest with them.
    take(head, { rows, mark, readings }, tell)
    watches.begin(connection, head)
    const scores = head.rows.join(',')
    reply('board', () => `{"leaderboard":${JSON.stringify(leaderboard)},"scores":[${scores}],"seq":${head.seq}}`)
  }
}

async function read(deps: BoardsDeps, { game, leaderboard, top }: HeadAsked): Promise<readonly string[] | null> {
  const rows = await deps.liveBoard(game, leaderboard, top)
  return rows?.map((row) => JSON.stringify(row)) ?? null
}

async function look(deps: BoardsDeps, watches: Watches, tell: Tell): Promise<void> {
  const heads = watches.heads()
  if (heads.length === 0) return
  const marks = await deps.boardVersions(new Set(heads.map(({ game }) => game)))
  for (const head of heads) {
    const mark = marks.get(head.game)
    if (head.mark === mark) continue
    // One that cannot be read now keeps its mark, is looked at again, and holds up no other.
    await lookAt(deps, watches, { head, mark, tell }).catch(() => {})
  }
}

interface Look extends Pick<Head, 'mark'> {
  readonly head: Head
  readonly tell: Tell
}

async function lookAt(deps: BoardsDeps, watches: Watches, { head, mark, tell }: Look): Promise<void> {
  const drop = (connection: RoomConnection) => {
    const { leaderboard } = head
    if (watches.end(connection, leaderboard)) connection.socketWriter.push(eventBatch('unwatched', { leaderboard }))
  }
  const permission = permissionFor(head.leaderboard)
  for (const one of [...head.watchers]) if (!(await deps.mayStill(one.holder, permission))) drop(one)
  const { readings } = head
  const rows = await read(deps, head)
  if (rows === null) for (const one of [...head.watchers]) drop(one)
  else take(head, { rows, mark, readings }, tell)
}

/**
 * If another reading was sent since this one began, their order is unknown: that one counts, and the board is read
 * again. The same if the send rate is reached.
 */
function take(head: Head, { rows, mark, readings }: Pick<Head, 'rows' | 'mark' | 'readings'>, tell: Tell): void {
  if (head.readings !== readings || !tell(head, rows)) {
    head.mark = undefined
    return
  }
  head.readings++
  head.mark = mark
}

/** Tells those who watch which ranks are another entry's now; null: nobody's. */
function tellChanges(head: Head, rows: readonly string[], nowMs: number): boolean {
  const before = head.rows
  const changes: string[] = []
  for (let i = 0; i < Math.max(before.length, rows.length); i++) {
    if (before[i] !== rows[i]) changes.push(`{"rank":${i + 1},"score":${rows[i] ?? 'null'}}`)
  }
  if (changes.length === 0) return true
  head.toldMs = head.toldMs.filter((ms) => nowMs - ms < SECOND_MS)
  if (head.toldMs.length >= BOARD_TOLD_MOST) return false
  head.toldMs.push(nowMs)
  head.rows = rows
  head.seq++
  const body = `{"leaderboard":${JSON.stringify(head.leaderboard)},"changes":[${changes.join(',')}],"seq":${head.seq}}`
  const told = batchOf([eventText('board_changed', body)])
  for (const { socketWriter } of head.watchers) socketWriter.push(told)
  return true
}
