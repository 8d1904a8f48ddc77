// Recorded calls that were sent with an Idempotency-Key.

import { idIn, isNamed } from '../domain/streams.ts'
import type { QueryDeps } from './deps.ts'

export interface RecordedCall {
  /** Its hash. */
  readonly call: string | null
  /** ISO 8601. */
  readonly time: string
  /** The leaderboard that it was about, if it changed one or submitted a score to one; else null. */
  readonly board: string | null
}

/** The call that a command id was recorded with; null if it was never used. */
export async function callOf(deps: QueryDeps, command: string): Promise<RecordedCall | null> {
  const [document] = await deps.views.get(deps.viewKey('commands'), 'commands', [command])
  if (!document) return null
  const { call, time, stream } = document.body
  return { call: String(call), time: String(time), board: boardIn(String(stream)) }
}

function boardIn(stream: string): string | null {
  if (isNamed(stream, 'board-')) return idIn(stream)
  return isNamed(stream, 'lb_') ? (idIn(stream).split('-')[0] ?? null) : null
}
