// The text that a client receives before the server closes its connection, for each reason.

import type { CutReason } from './events.ts'

export const CUT_DETAILS: Readonly<Record<CutReason, string>> = {
  slow_consumer: 'The client reads more slowly than its rooms send. Connect again.',
  too_fast: 'The client sent far more than its rate allows, for too long. Send more slowly.',
  revoked: 'The key, session or player of this connection was revoked or lost the permission.',
  unavailable: 'The server cannot check right now whether this connection may stay. Connect again in a moment.',
  rooms_off: 'The rooms of this game are switched off.',
  rooms_lost: 'The seats of this server were lost. Connect again.',
  closing: 'This server is stopping. Connect again.',
}
