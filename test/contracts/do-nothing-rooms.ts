// Rooms that never have members.

import type { RoomsWorld } from './rooms-watched.ts'

export function doNothingRooms(): RoomsWorld {
  return {
    rooms: {
      enter: async () => ({
        heartbeat: async () => {},
        create: async () => null,
        join: async () => null,
        listen: async () => null,
        leave: async () => false,
        send: async () => ({ seq: 0, sentAtMs: 0 }),
        sendTo: async () => ({ sentAtMs: 0 }),
        close: async () => {},
      }),
      list: async () => ({ rooms: [], count: 0 }),
      listWhole: async () => ({ rooms: [], count: 0, next: 0 }),
      forget: async () => {},
    },
    deadMs: 1_000,
    pass: async () => {},
  }
}
