// Sessions, by id and by player.

import { SESSION_LIFETIME_MS, type Session } from '../domain/session.ts'
import { asFolded, folded, type QueryDeps } from './deps.ts'

export const findSession = (deps: QueryDeps, id: string) => folded<Session>(deps, 'sessions', id)

/** Ids of all sessions a player ever began. */
export async function everySessionOf({ views, viewKey }: QueryDeps, player: string): Promise<string[]> {
  const find = { view: viewKey('sessions'), collection: 'sessions', equal: [player], limit: Number.MAX_SAFE_INTEGER }
  const [open, ended] = await Promise.all([
    views.find({ ...find, index: 'open' }),
    views.find({ ...find, index: 'ended' }),
  ])
  return [...open, ...ended].map(({ id }) => id)
}

/** A player's sessions that are open and have not run out, each with when it began (ISO 8601, UTC). */
export async function openSessionsOf(deps: QueryDeps, player: string, nowMs: number) {
  const documents = await deps.views.find({
    view: deps.viewKey('sessions'),
    collection: 'sessions',
    index: 'open',
    equal: [player],
    from: new Date(nowMs).toISOString(),
    limit: Number.MAX_SAFE_INTEGER,
  })
  return documents.map((document) => {
    const { id, state } = asFolded<Session>(document)
    return { id, started: new Date(Date.parse(state.expires) - SESSION_LIFETIME_MS).toISOString() }
  })
}

/**
 * Ids of the sessions that a call to sign a player out everywhere ends: those that are open. Repeated, the call finds its own
 * among those that were ended, and ends none that began since. None that has run out.
 */
export async function sessionsToEnd(
  deps: QueryDeps,
  player: string,
  repeated: boolean,
  nowMs: number,
): Promise<string[]> {
  const documents = await deps.views.find({
    view: deps.viewKey('sessions'),
    collection: 'sessions',
    index: repeated ? 'ended' : 'open',
    equal: [player],
    from: new Date(nowMs).toISOString(),
    limit: Number.MAX_SAFE_INTEGER,
  })
  return documents.map((document) => asFolded<Session>(document).id)
}
