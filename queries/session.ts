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

/**
 * A player's sessions that are open and have not run out, the oldest first, at most so many; each with when it began
 * (ISO 8601, UTC) and after how many sign-outs.
 */
export async function openSessionsOf(
  deps: QueryDeps,
  player: string,
  nowMs: number,
  most: number = Number.MAX_SAFE_INTEGER,
) {
  const documents = await deps.views.find({
    view: deps.viewKey('sessions'),
    collection: 'sessions',
    index: 'open',
    equal: [player],
    from: new Date(nowMs).toISOString(),
    limit: most,
  })
  return documents.map((document) => {
    const { id, state } = asFolded<Session>(document)
    const started = new Date(Date.parse(state.expires) - SESSION_LIFETIME_MS).toISOString()
    return { id, started, signOuts: state.signOuts ?? 0 }
  })
}

/** Ids of a player's sessions, those that are open or those that were ended, of which none has run out. */
export async function sessionsOf(
  deps: QueryDeps,
  player: string,
  which: 'open' | 'ended',
  nowMs: number,
): Promise<string[]> {
  const documents = await deps.views.find({
    view: deps.viewKey('sessions'),
    collection: 'sessions',
    index: which,
    equal: [player],
    from: new Date(nowMs).toISOString(),
    limit: Number.MAX_SAFE_INTEGER,
  })
  return documents.map((document) => asFolded<Session>(document).id)
}
