// The list of a game's rooms with their members: each page is bounded by its members, and the pages list every room
// once.

import { expect } from 'chai'
import type { JsonObject } from '../../domain/event.ts'
import type { Route } from '../../http/route.ts'
import { LISTED_MEMBERS_MAX, roomListeningRoutes } from '../../http/routes/rooms.ts'
import { createRooms } from '../../stores/embedded/rooms.ts'

const SIZES = [900, 900, 900, 1_000, 1_000, 1, 1_000, 3]

describe('the list of rooms with their members', () => {
  const rooms = createRooms()
  before(async () => {
    const node = await rooms.enter({ heard: () => {}, lost: () => {} })
    for (const [n, size] of SIZES.entries()) {
      const fixed = { id: `room-${n}`, name: `Room ${n}`, max_members: size, listed: true }
      for (let member = 0; member < size; member++) {
        const seat = { game: 'g', room: fixed.id, member: `${n}-${member}` }
        await node.join({ ...seat, player: null, since: null, fixed }, () => {})
      }
    }
  })

  const fixedRooms = SIZES.map((size, n) => ({ id: `room-${n}`, name: `Room ${n}`, max_members: size, listed: true }))
  const body = { id: 'g', game: 'g', state: { realtime: { enabled: true }, fixedRooms } } as unknown as JsonObject
  const deps = {
    queries: { views: { current: async () => ({ id: 'g', pos: '', body }) }, viewKey: (name: string) => name },
    rooms: { store: rooms },
  }
  const [list] = roomListeningRoutes(deps as unknown as Parameters<typeof roomListeningRoutes>[0]) as [
    Route,
    ...Route[],
  ]
  const page = async (limit: number, offset: number) => {
    const call = { caller: { game: 'g' }, params: { game: 'g' }, query: { limit, offset } }
    const answer = await list.handle(call as unknown as never)
    return answer.body as Page
  }

  interface Page {
    readonly rooms: readonly { readonly id: string; readonly members: readonly object[] }[]
    readonly count: number
    readonly offset: number
    readonly limit: number
    readonly next_offset: number | null
  }

  for (const limit of [100, 3, 1]) {
    it(`never has more than ${LISTED_MEMBERS_MAX} members in a page of ${limit} rooms, and misses none`, async () => {
      const found: (readonly [string, number])[] = []
      const pages: number[] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const { rooms: listed, next_offset: next, ...rest } = await page(limit, offset)
        expect(rest).to.deep.equal({ count: SIZES.length, offset, limit })
        const sizes = listed.map(({ members }) => members.length)
        expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(LISTED_MEMBERS_MAX)
        found.push(...listed.map(({ id, members }) => [id, members.length] as const))
        pages.push(listed.length)
        offset = next
      }
      expect(found).to.deep.equal(SIZES.map((size, n) => [`room-${n}`, size]))
      if (limit === 100) expect(pages).to.deep.equal([2, 2, 2, 2])
    })
  }
})
