// Generates many events as the program would record them: players and their submissions to a board. A number always
// gives the same player.

import { createHash, randomUUID } from 'node:crypto'
import { idText } from '../../credentials/text.ts'
import type { Rules } from '../../domain/board-rules.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { EventMeta, JsonObject, NewEvent } from '../../domain/event.ts'
import { defaultPermissions } from '../../domain/permissions.ts'
import { playerStream } from '../../domain/player.ts'
import { type ScoreSubmittedData, scoreStream } from '../../domain/score.ts'
import { sessionStream } from '../../domain/session.ts'
import type { Expected, Log } from '../../stores/contract/log.ts'

const FIRST_TIME_MS = Date.parse('2026-01-01T00:00:00.000Z')
/** Sessions expire then. */
const LAST_TIME = '2100-01-01T00:00:00.000Z'
const IN_FLIGHT = 4_000

export interface BoardReference {
  readonly game: string
  readonly board: string
}

/** An append: stream, expected revision, event. */
export interface Append {
  readonly stream: string
  readonly expected: Expected
  readonly event: NewEvent
}

export const RULES: Rules = {
  ordering: 'desc',
  secondaryOrdering: 'desc',
  unique: true,
  minScore: null,
  maxScore: null,
}

export function playerId(n: number): string {
  return idText(createHash('sha256').update(`player ${n}`).digest())
}

function meta(subject: Pick<EventMeta, 'game' | 'board' | 'player'>, n: number): EventMeta {
  const time = new Date(FIRST_TIME_MS + n).toISOString()
  return { v: 1, ...subject, command: randomUUID(), actor: 'sk_bench', request: randomUUID(), time }
}

/** Names are in clear: text without the encryption prefix counts as written by an older version. */
export function playerCreated(game: string, n: number): Append {
  const player = playerId(n)
  const data: JsonObject = { name: `Player ${n}`, guest: true, externalId: null }
  const event = { id: randomUUID(), type: 'PlayerCreated', data, meta: meta({ game, player }, n) }
  return { stream: playerStream(player), expected: 'none', event }
}

export function sessionId(n: number): string {
  return idText(createHash('sha256').update(`session ${n}`).digest())
}

/** The player's session, with the permissions of a client key. `key`: a prefix. */
export function sessionStarted(game: string, key: string, n: number): Append {
  const [player, session] = [playerId(n), sessionId(n)]
  const permissions = defaultPermissions('client', game)
  const data: JsonObject = { player, key, permissions, expires: LAST_TIME, signOuts: 0 }
  const event = { id: randomUUID(), type: 'SessionStarted', data, meta: meta({ game, player }, n) }
  return { stream: sessionStream(session), expected: 'none', event }
}

export function boardCreated({ game, board }: BoardReference, rules: Rules): Append {
  const data: JsonObject = { name: 'Bench', description: '', rules }
  const event = { id: randomUUID(), type: 'LeaderboardCreated', data, meta: meta({ game, board }, 0) }
  return { stream: `board-${board}`, expected: 'none', event }
}

/** The player's submission number `revision`, as the n-th event. */
export function submitted(
  { game, board }: BoardReference,
  player: string,
  score: number,
  revision: number,
  n: number,
): Append {
  const id = idText(createHash('sha256').update(`score ${n}`).digest())
  const data = { id, score: String(score) as Decimal, secondary: null, extra: null, playerName: null }
  const kept: ScoreSubmittedData & JsonObject = data
  const event = { id: randomUUID(), type: 'ScoreSubmitted', data: kept, meta: meta({ game, board, player }, n) }
  return { stream: scoreStream(board, player), expected: revision === 0 ? 'none' : revision - 1, event }
}

/** Appends in order, many per commit. */
export async function appendAll(log: Log, appends: Iterable<Append>, inFlight: number = IN_FLIGHT): Promise<void> {
  let waiting: Promise<unknown>[] = []
  for (const { stream, expected, event } of appends) {
    waiting.push(log.append(stream, expected, [event]))
    if (waiting.length < inFlight) continue
    await Promise.all(waiting)
    waiting = []
  }
  await Promise.all(waiting)
}

/** Seeded random integers from 0 to before `below` (mulberry32). */
export function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
