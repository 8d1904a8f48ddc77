// Property tests of leases: nodes join, send heartbeats, freeze, die, leave and come back in any order.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Node } from '../../stores/contract/leases.ts'
import { EVERY, fewestMoves, holders, type OpenLeases, sharesOf, Watched } from './leases-model.ts'

const GROUPS = ['a', 'a', 'a', 'a', 'a', 'b', 'b', null] as const
/** In thousandths of a lease: time between heartbeats, just before expiry, at expiry, after it. */
const STEPS = fc.oneof(fc.constantFrom(333, 999, 1_000, 1_001, 1_500), fc.nat(400))
const SLOT = fc.nat(GROUPS.length - 1)

type Step = readonly ['beat' | 'dies' | 'leaves' | 'passes', number]

const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(fc.constant('beat' as const), SLOT) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('dies' as const, 'leaves' as const), SLOT) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('passes' as const), STEPS) },
)

/** Checks every invariant of `Watched` at every heartbeat. A node that dies comes back under another id. */
export async function checkLeaseRules(open: OpenLeases, leaseMs: number, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 20, maxLength: 80, size: 'max' }), async (steps) => {
      const world = await open(leaseMs)
      const watched = new Watched(world)
      const lives = GROUPS.map(() => 0)
      const nodeAt = (slot: number): Node => ({
        id: `${slot}-${lives[slot]}`,
        group: GROUPS[slot] ?? null,
        uses: [`of-${slot}@${lives[slot]}`, 'of-all@1'],
      })
      for (const [what, n] of steps) {
        if (what === 'beat') await watched.heartbeat(nodeAt(n))
        if (what === 'dies') lives[n] = (lives[n] ?? 0) + 1
        if (what === 'leaves') await watched.leave(nodeAt(n).id)
        if (what === 'passes') await world.pass(Math.ceil((leaseMs * n) / 1_000))
      }
      // Lets all leases expire: the next node finds everything free.
      await world.pass(leaseMs)
      expect(await watched.heartbeat({ id: 'last', group: 'a', uses: [] })).to.deep.equal(EVERY)
    }),
    { numRuns },
  )
}

/** After each join or leave, three rounds in any order settle the shares with the minimum of moves. */
export async function sharesSettle(open: OpenLeases, leaseMs: number, numRuns: number): Promise<void> {
  const change = fc.record({ joins: fc.boolean(), at: fc.nat(), order: fc.infiniteStream(fc.nat()) })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 20 }), async (changes) => {
      const { leases } = await open(leaseMs)
      let owned = new Map<string, readonly number[]>()
      for (const [count, { joins, at, order }] of changes.entries()) {
        const [leaver] = joins || owned.size < 2 ? [] : [...owned.keys()].slice(at % owned.size)
        if (leaver !== undefined) await leases.leave(leaver)
        const before = [...owned].filter(([id]) => id !== leaver)
        const ids = [...before.map(([id]) => id), ...(leaver === undefined ? [`n-${count}`] : [])]
        owned = new Map(before)
        for (let round = 0; round < 3; round++) {
          const ordered = ids.map((id) => ({ id, by: Number(order.next().value) })).sort((a, b) => a.by - b.by)
          for (const { id } of ordered) owned.set(id, (await leases.heartbeat({ id, group: 'a', uses: [] })).owned)
        }
        const settled = holders(owned)
        expect([...settled.keys()].sort((a, b) => a - b)).to.deep.equal(EVERY)
        expect([...owned.values()].map((one) => one.length).sort((a, b) => b - a)).to.deep.equal(sharesOf(ids.length))
        const moved = before.flatMap(([id, had]) => had.filter((partition) => settled.get(partition) !== id))
        const counts = before.map(([, had]) => had.length)
        expect(moved.length).to.equal(fewestMoves(counts, ids.length))
      }
    }),
    { numRuns },
  )
}
