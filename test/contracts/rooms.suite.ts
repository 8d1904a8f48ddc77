// The contract of rooms: seats are never oversold, each room has one order, and the members of a dead node are
// removed.

import { roomsListChecks } from './rooms-list.suite.ts'
import { roomsListenersChecks } from './rooms-listeners.suite.ts'
import { roomsMakersChecks } from './rooms-makers.suite.ts'
import { roomsNodesChecks } from './rooms-nodes.suite.ts'
import { roomsOrderChecks } from './rooms-order.suite.ts'
import { checkRoomRules } from './rooms-properties.ts'
import { roomsSeatsChecks } from './rooms-seats.suite.ts'
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
