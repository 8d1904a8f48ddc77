// Sessions by id and by player.

import type { Player } from '../domain/player.ts'
import { isSignedOut, SESSION_LIFETIME_MS, type Session } from '../domain/session.ts'
import { asFolded, type Folded, folded, type Page, type Paging, type QueryDeps } from './deps.ts'

export const findSession = (deps: QueryDeps, id: string) => folded<Session>(deps, 'sessions', id)

/** The sessions with these ids that the view contains. */
export async function findSessions({ views, viewKey }: QueryDeps, ids: readonly string[]): Promise<Folded<Session>[]> {
  const documents = await views.get(viewKey('sessions'), 'sessions', ids)
  return documents.flatMap((document) => (document === null ? [] : [asFolded<Session>(document)]))
}

/** Ids of all sessions that a player ever started. */
export async function everySessionOf({ views, viewKey }: QueryDeps, player: string): Promise<string[]> {
  const find = { view: viewKey('sessions'), collection: 'sessions', equal: [player], limit: Number.MAX_SAFE_INTEGER }
  const [open, ended] = await Promise.all([
    views.find({ ...find, index: 'open' }),
    views.find({ ...find, index: 'ended' }),
  ])
  return [...open, ...ended].map(({ id }) => id)
}

/**
 * Up to `max` open, unexpired sessions of a player, by expiry, each with its start (ISO 8601, UTC) and the number of
 * sign-outs before it.
 */
export async function openSessionsOf(
  deps: QueryDeps,
  player: string,
  nowMs: number,
  max: number = Number.MAX_SAFE_INTEGER,
) {
  const documents = await deps.views.find({
    view: deps.viewKey('sessions'),
    collection: 'sessions',
    index: 'open',
    equal: [player],
    from: new Date(nowMs).toISOString(),
    limit: max,
  })
  return documents.map((document) => {
    const { id, state } = asFolded<Session>(document)
    const started = new Date(Date.parse(state.expires) - SESSION_LIFETIME_MS).toISOString()
    return { id, started, signOuts: state.signOuts ?? 0 }
  })
}

/** Ids of a player's open or ended sessions that have not expired. */
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

/** A page of the sessions with which a player may still act, oldest first. A player has few (`max sessions`). */
export async function sessionsPage(
  deps: QueryDeps,
  { id, state: { signOuts } }: Folded<Player>,
  { limit, offset }: Paging,
  nowMs: number,
): Promise<Page<{ readonly id: string; readonly started: string }>> {
  const open = await openSessionsOf(deps, id, nowMs)
  const rows = open.filter((session) => !isSignedOut(session, signOuts))
  return { rows: rows.slice(offset, offset + limit), count: rows.length }
}
