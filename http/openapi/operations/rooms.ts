// Entering the chat rooms, in the OpenAPI document. What happens inside is in the AsyncAPI document.

import type { OperationGroup } from './operation.ts'

export const ROOMS: OperationGroup = {
  name: 'Rooms',
  description: 'Tickets to the realtime rooms. `/api/asyncapi.json` describes the messages inside.',
  operations: {
    'POST /api/gm/:game/rt/ticket/': {
      id: 'createRoomTicket',
      description:
        'Connect with Socket.IO 4 to `url` with `?ticket=` within 30 seconds. A ticket opens one connection. The game must have ' +
        'rooms switched on (`realtime.enabled`).',
    },
    'POST /api/rt/redeem/': {
      id: 'redeemRoomTicket',
      description:
        'For a rooms process that runs apart from the API. It exists only where the operator has set `REALTIME_SECRET`, and is ' +
        '404 `not_found` elsewhere.',
    },
  },
}
