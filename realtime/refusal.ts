// What a client is told where the store of rooms refuses.

import type { RoomRefusal as StoreRefusal } from '../stores/contract/rooms.ts'
import { RoomRefusal } from './events.ts'

const REFUSED: Readonly<Record<StoreRefusal, string>> = {
  room_not_found: 'There is no such room.',
  room_full: 'All seats of the room are taken.',
  too_many_rooms: 'The game has as many rooms as it may have.',
  not_in_room: 'Join the room first.',
  member_not_found: 'There is no such member in the room.',
}

export const refusal = (code: StoreRefusal): RoomRefusal => new RoomRefusal(code, REFUSED[code])
