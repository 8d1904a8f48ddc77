// Live boards: whoever watches the head of a leaderboard is sent it once, and then what changes in it. All who watch the same
// head on this node share one reading, which is made when the views have moved, at most four times a second.

import type { RoomHolder } from '../commands/room-ticket.ts'
import { Refusal } from '../domain/decider.ts'
import type { LiveRow } from '../queries/live-board.ts'
import type { Answers, Connection } from './connection.ts'
import { RoomRefusal } from './events.ts'
import { batchOf, eventBatch, eventText } from './frames.ts'
import { BOARD_EVERY_MS, WATCHES_PER_SOCKET } from './limits.ts'

export interface BoardsDeps {
  /** The best of a board; null where the game has no such board. Rejects where it cannot be read now. */
  liveBoard(game: string, leaderboard: string, top: number): Promise<readonly LiveRow[] | null>
  /** Game -> a mark that is another one where a board of it may have changed. */
  boardsMarks(games: Iterable<string>): Promise<ReadonlyMap<string, string>>
  mayStill(holder: RoomHolder, permission: string): Promise<boolean>
}

export interface Boards {
  readonly answers: Pick<Answers, 'watch' | 'unwatch'>
  gone(connection: Connection): void
  stop(): void
}

/** One head of one board, as this node reads it for all who watch it. */
interface Head {
  readonly key: string
  readonly game: string
  readonly leaderboard: string
  readonly top: number
  readonly watchers: Set<Connection>
  /** Each row as JSON, by which two readings differ; null until it is read. */
  rows: readonly string[] | null
  seq: number
  mark: string | undefined
}

const permissionFor = (leaderboard: string): string => `lb:${leaderboard}:scores`

const tooManyWatches = (): RoomRefusal =>
  new RoomRefusal('too_fast', `One connection watches at most ${WATCHES_PER_SOCKET} leaderboards.`)

export function createBoards(deps: BoardsDeps): Boards {
  const heads = new Map<string, Head>()
  /** Connection -> leaderboard -> what it watches of it. */
  const watches = new Map<Connection, Map<string, Head>>()

  const end = (connection: Connection, leaderboard: string): boolean => {
    const own = watches.get(connection)
    const head = own?.get(leaderboard)
    if (own === undefined || head === undefined) return false
    own.delete(leaderboard)
    if (own.size === 0) watches.delete(connection)
    head.watchers.delete(connection)
    if (head.watchers.size === 0) heads.delete(head.key)
    return true
  }

  const read = async (head: Pick<Head, 'game' | 'leaderboard' | 'top'>): Promise<readonly string[] | null> => {
    const rows = await deps.liveBoard(head.game, head.leaderboard, head.top)
    return rows?.map((row) => JSON.stringify(row)) ?? null
  }

  const watch: Answers['watch'] = async (connection, { leaderboard, top }, reply) => {
    const permission = permissionFor(leaderboard)
    if (!(await deps.mayStill(connection.holder, permission))) {
      throw new RoomRefusal('permission_needed', `This needs ${permission}.`)
    }
    const { game } = connection.holder
    const own = watches.get(connection) ?? new Map<string, Head>()
    if (own.size >= WATCHES_PER_SOCKET && !own.has(leaderboard)) {
      throw tooManyWatches()
    }
    const key = `${game} ${leaderboard} ${top}`
    // Marked before it is read: what comes between is read again.
    const mark = (await deps.boardsMarks([game])).get(game)
    const rows = await read({ game, leaderboard, top })
    if (rows === null) throw new RoomRefusal('leaderboard_not_found', 'There is no such leaderboard.')
    if (connection.isGone) return
    end(connection, leaderboard)
    // Asked again: others of its own may have come in while this one was read.
    if ((watches.get(connection)?.size ?? 0) >= WATCHES_PER_SOCKET) throw tooManyWatches()
    const head = heads.get(key) ?? { key, game, leaderboard, top, watchers: new Set(), rows, seq: 0, mark }
    heads.set(key, head)
    tellChanges(head, rows)
    // A look may have read later and been told before: the next one reads again.
    head.mark = mark
    head.watchers.add(connection)
    const held = watches.get(connection) ?? new Map<string, Head>()
    watches.set(connection, held.set(leaderboard, head))
    reply(
      'board',
      () => `{"leaderboard":${JSON.stringify(leaderboard)},"scores":[${rows.join(',')}],"seq":${head.seq}}`,
    )
  }

  const look = async (): Promise<void> => {
    if (heads.size === 0) return
    const marks = await deps.boardsMarks(new Set(Array.from(heads.values(), ({ game }) => game)))
    for (const head of [...heads.values()]) {
      const mark = marks.get(head.game)
      if (head.mark === mark) continue
      // One that cannot be read now keeps its mark, is looked at again, and holds up no other.
      await lookAt(head, mark).catch(() => {})
    }
  }

  const lookAt = async (head: Head, mark: string | undefined): Promise<void> => {
    await dropUnallowed(head)
    head.mark = mark
    const rows = await read(head).catch((why: unknown) => {
      head.mark = undefined
      throw why
    })
    if (rows === null) for (const one of [...head.watchers]) drop(one, head.leaderboard)
    else tellChanges(head, rows)
  }

  const dropUnallowed = async (head: Head): Promise<void> => {
    const permission = permissionFor(head.leaderboard)
    for (const one of [...head.watchers]) {
      if (!(await deps.mayStill(one.holder, permission))) drop(one, head.leaderboard)
    }
  }

  const drop = (connection: Connection, leaderboard: string): void => {
    if (end(connection, leaderboard)) connection.wire.push(eventBatch('unwatched', { leaderboard }))
  }

  let isLooking = false
  const looking = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
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
        } catch (why) {
          throw why instanceof Refusal ? new RoomRefusal('unavailable', why.message) : why
        }
      },
      unwatch: (connection, { leaderboard }, reply) => {
        end(connection, leaderboard)
        reply('unwatched', () => JSON.stringify({ leaderboard }))
      },
    },
    gone: (connection) => {
      for (const leaderboard of [...(watches.get(connection)?.keys() ?? [])]) end(connection, leaderboard)
    },
    stop: () => clearInterval(looking),
  }
}

/** Tells those who watch which ranks are another entry's now; null: nobody's. */
function tellChanges(head: Head, rows: readonly string[]): void {
  const before = head.rows ?? []
  const changes: string[] = []
  for (let i = 0; i < Math.max(before.length, rows.length); i++) {
    if (before[i] !== rows[i]) changes.push(`{"rank":${i + 1},"score":${rows[i] ?? 'null'}}`)
  }
  head.rows = rows
  if (changes.length === 0) return
  head.seq++
  const body = `{"leaderboard":${JSON.stringify(head.leaderboard)},"changes":[${changes.join(',')}],"seq":${head.seq}}`
  const told = batchOf([eventText('board_changed', body)])
  for (const { wire } of head.watchers) wire.push(told)
}
