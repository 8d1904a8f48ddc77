// The view of sessions: whether the session of a token is still open. Every call that carries a player token reads it.

import { type Session, type SessionEvent, session } from '../domain/session.ts'
import { aggregateView } from './aggregate-view.ts'

export const sessions = aggregateView<Session, SessionEvent>({
  name: 'sessions',
  version: 1,
  aggregate: session,
  takes: ['SessionStarted', 'SessionEnded'],
  fields: ({ player, expires, ended }) => ({
    openFor: ended ? null : player,
    endedFor: ended ? player : null,
    expires,
  }),
  indexes: { open: ['openFor', 'expires'], ended: ['endedFor', 'expires'] },
})
