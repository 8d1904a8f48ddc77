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
    'GET /api/gm/:game/rooms/': {
      id: 'listGameRooms',
      description:
        'All rooms, also those that players do not find in a search: first the fixed rooms of the game’s settings, then the others in the ' +
        'order of their creation. A room that ends during the call may be missing from its page. A page has at most 2,000 members, or one ' +
        'room, and may be shorter than its limit: `next_offset` says where the list continues.',
    },
    'POST /api/gm/:game/rt/listen/': {
      id: 'createListenTicket',
      description:
        'Connect as with `createRoomTicket`. The connection takes no seat, no member sees it, and it may only send `listen`, `watch` and ' +
        '`unwatch`: other events are refused with `listen_only`. A room has at most 100 listeners: `too_many_listeners`. Only the rooms of this service accept the ticket.',
    },
    'POST /api/rt/redeem/': {
      id: 'redeemRoomTicket',
      description:
        'For a rooms process that runs apart from the API. It exists only where the operator has set `REALTIME_SECRET`, and is ' +
        '404 `not_found` elsewhere.',
    },
  },
}
