// The in-process rooms pass their contract, on a manual clock.

import { createRooms } from '../../stores/embedded/rooms.ts'
import { roomsChecks } from '../contracts/rooms.suite.ts'
import type { OpenRooms } from '../contracts/rooms-watched.ts'
import { testContract } from '../contracts/test-contract.ts'

const DEAD_MS = 6_000

const open: OpenRooms = async () => {
  let nowMs = 0
  const clocks = { now: () => nowMs, wallMs: () => Date.now() + nowMs }
  return {
    rooms: createRooms(clocks, DEAD_MS),
    deadMs: DEAD_MS,
    pass: async (ms) => {
      nowMs += ms
    },
  }
}

testContract('Rooms in process', roomsChecks(100), async () => open)
