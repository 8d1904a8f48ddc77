// Recorded calls that were sent with an Idempotency-Key.

import type { Position } from '../domain/event.ts'
import { idIn, isNamed } from '../domain/streams.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { Log } from '../stores/contract/log.ts'
import type { QueryDeps } from './deps.ts'

export interface RecordedCall {
  /** Its hash. */
  readonly call: string | null
  /** ISO 8601. */
  readonly time: string
  /** The leaderboard that it was about, if it changed one or submitted a score to one; else null. */
  readonly board: string | null
  /** The player whose score it submitted or deleted; else null. */
  readonly player: string | null
}

/** The call that a command id was recorded with; null if it was never used. */
export async function callOf(deps: QueryDeps, command: string): Promise<RecordedCall | null> {
  const [document] = await deps.views.get(deps.viewKey('commands'), 'commands', [command])
  if (!document) return null
  const { call, time, stream } = document.body
  return { call: String(call), time: String(time), ...targetIn(String(stream)) }
}

/** Events per read. */
const PAGE = 500
/** More than a partition's checkpoint can be behind while it has nothing to apply. */
const MAX_SCANNED = 20_000

export interface CallsAfter {
  /** By command id. */
  readonly calls: ReadonlyMap<string, RecordedCall>
  /** Whether anything of the game was recorded after the position, as far as the log was read. */
  readonly hasEvents: boolean
  /** False: too much was recorded since to read it all, so a call may be missing. */
  readonly isComplete: boolean
}

/** The calls that were recorded in a game with given command ids after a position. O(events since). */
export async function callsAfter(
  log: Pick<Log, 'readAll'>,
  { game, commands }: { readonly game: string; readonly commands: ReadonlySet<string> },
  position: Position | null,
): Promise<CallsAfter> {
  const calls = new Map<string, RecordedCall>()
  let hasEvents = false
  let after = position
  for (let scanned = 0; scanned < MAX_SCANNED; scanned += PAGE) {
    if (scanned > 0) await yieldToEventLoop()
    const events = await log.readAll(after, PAGE)
    for (const { stream, meta } of events) {
      if (meta.game !== game) continue
      hasEvents = true
      const { command, call, time } = meta
      if (call === undefined || !commands.has(command) || calls.has(command)) continue
      calls.set(command, { call, time, ...targetIn(stream) })
    }
    if (calls.size === commands.size || events.length < PAGE) return { calls, hasEvents, isComplete: true }
    after = events.at(-1)?.position ?? after
  }
  return { calls, hasEvents, isComplete: false }
}

function targetIn(stream: string): Pick<RecordedCall, 'board' | 'player'> {
  if (isNamed(stream, 'board-')) return { board: idIn(stream), player: null }
  if (!isNamed(stream, 'lb_')) return { board: null, player: null }
  const [board = null, player = null] = idIn(stream).split('-')
  return { board, player }
}
