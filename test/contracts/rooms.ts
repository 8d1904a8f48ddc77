// The contract of rooms: seats are never oversold, each room has one order, and the members of a dead node are
// removed.

import { roomsListChecks } from './rooms-list.ts'
import { roomsListenersChecks } from './rooms-listeners.ts'
import { roomsMakersChecks } from './rooms-makers.ts'
import { roomsNodesChecks } from './rooms-nodes.ts'
import { roomsOrderChecks } from './rooms-order.ts'
import { checkRoomRules } from './rooms-properties.ts'
import { roomsSeatsChecks } from './rooms-seats.ts'
import type { OpenRooms } from './rooms-watched.ts'
import type { Check } from './test-contract.ts'

/** With as many random histories. */
export const roomsChecks = (histories: number): readonly Check<OpenRooms>[] => [
  ...roomsSeatsChecks,
  ...roomsOrderChecks,
  ...roomsListChecks,
  ...roomsMakersChecks,
  ...roomsListenersChecks,
  ...roomsNodesChecks,
  {
    name: 'equal the model while members and nodes join, send, leave, fall silent, die and come back',
    run: async (make) => checkRoomRules(await make(), histories),
  },
]
