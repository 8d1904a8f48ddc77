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

interface CallAfter {
  /** Null: it was not recorded after the position. */
  readonly call: RecordedCall | null
  /** Whether anything of the game was recorded after the position, as far as the log was read. */
  readonly hasEvents: boolean
}

/**
 * The call that was recorded in a game with a command id after a position. `unknown` if too much was recorded since.
 * O(events since).
 */
export async function callAfter(
  log: Pick<Log, 'readAll'>,
  { game, command }: { readonly game: string; readonly command: string },
  position: Position | null,
): Promise<CallAfter | 'unknown'> {
  let hasEvents = false
  let after = position
  for (let scanned = 0; scanned < MAX_SCANNED; scanned += PAGE) {
    if (scanned > 0) await yieldToEventLoop()
    const events = await log.readAll(after, PAGE)
    for (const { stream, meta } of events) {
      if (meta.game !== game) continue
      hasEvents = true
      if (meta.command !== command || meta.call === undefined) continue
      return { call: { call: meta.call, time: meta.time, ...targetIn(stream) }, hasEvents }
    }
    if (events.length < PAGE) return { call: null, hasEvents }
    after = events.at(-1)?.position ?? after
  }
  return 'unknown'
}

function targetIn(stream: string): Pick<RecordedCall, 'board' | 'player'> {
  if (isNamed(stream, 'board-')) return { board: idIn(stream), player: null }
  if (!isNamed(stream, 'lb_')) return { board: null, player: null }
  const [board = null, player = null] = idIn(stream).split('-')
  return { board, player }
}
