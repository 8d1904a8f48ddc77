// What a client is sent before its connection is cut, by the reason.

import type { CutReason } from './events.ts'

export const CUT_DETAILS: Readonly<Record<CutReason, string>> = {
  slow_consumer: 'The client reads more slowly than its rooms speak. Connect again.',
  too_fast: 'The client sent far more than it may, for too long.',
  revoked: 'The key, session or player of this connection may be here no longer.',
  unavailable: 'Nobody can tell just now who may be here still. Connect again in a moment.',
  rooms_off: 'The rooms of this game are switched off.',
  rooms_lost: 'The seats of this server were lost. Connect again.',
  closing: 'This server stops. Connect again.',
}
