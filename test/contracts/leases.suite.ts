// The contract of leases: each partition is owned by one live node of a group, all are assigned evenly, and few move.

import { expect } from 'chai'
import type { Leases, Node } from '../../stores/contract/leases.ts'
import { EVERY, holders, type LeasesWorld, type OpenLeases, sharesOf } from './leases-model.ts'
import { checkLeaseRules, sharesSettle } from './leases-properties.ts'
import type { Check } from './test-contract.ts'

/** Longer than any check, for leases that must not expire. */
const LONG_MS = 60_000
/** For leases that must expire. */
const SHORT_MS = 60

const node = (id: string, group: string | null = 'a', uses: readonly string[] = []): Node => ({ id, group, uses })
const ownedBy = async (leases: Leases, one: Node) => (await leases.heartbeat(one)).owned
const usedFor = async (leases: Leases, one: Node) => (await leases.heartbeat(one)).used

/** Sends heartbeats until the node owns all partitions: not before `freeMs`, and by the first one after `endMs`. */
async function takesAll({ leases, now, pass }: LeasesWorld, one: Node, freeMs: number, endMs: number) {
  for (;;) {
    const beganMs = await now()
    const owned = await ownedBy(leases, one)
    if (owned.length === EVERY.length) {
      expect(await now()).to.be.at.least(freeMs)
      return
    }
    expect(beganMs).to.be.below(endMs)
    await pass(1)
  }
}

export const leasesChecks: readonly Check<OpenLeases>[] = [
  {
    name: 'assigns all partitions to a single node with its first heartbeat',
    run: async (make) => {
      const { leases } = await (await make())(LONG_MS)
      for (let round = 0; round < 3; round++) expect(await ownedBy(leases, node('n-1'))).to.deep.equal(EVERY)
    },
  },
  {
    name: 'distributes them over any number of nodes within three rounds after the last one joined',
    run: async (make) => {
      const { leases } = await (await make())(LONG_MS)
      const owned = new Map<string, readonly number[]>()
      for (let nodes = 1; nodes <= 20; nodes++) {
        owned.set(`n-${nodes}`, [])
        for (let round = 0; round < 3; round++) {
          for (const id of owned.keys()) owned.set(id, await ownedBy(leases, node(id)))
        }
        expect([...holders(owned).keys()].sort((a, b) => a - b)).to.deep.equal(EVERY)
        expect([...owned.values()].map(({ length }) => length).sort((a, b) => b - a)).to.deep.equal(sharesOf(nodes))
      }
    },
  },
  {
    name: 'moves nothing while the set of nodes is stable',
    run: async (make) => {
      const { leases } = await (await make())(LONG_MS)
      const nodes = ['n-1', 'n-2', 'n-3', 'n-4', 'n-5'].map((id) => node(id))
      const round = async (order: readonly Node[]) =>
        new Map(await Promise.all(order.map(async (one) => [one.id, await ownedBy(leases, one)] as const)))
      for (let n = 0; n < 3; n++) for (const one of nodes) await leases.heartbeat(one)
      const settled = await round(nodes)
      expect(holders(settled).size).to.equal(EVERY.length)
      for (let n = 0; n < 3; n++) {
        nodes.push(...nodes.splice(0, 2))
        for (const [id, owned] of await round(nodes)) expect(owned).to.deep.equal(settled.get(id))
      }
    },
  },
  {
    name: 'never assigns a partition to two nodes with concurrent heartbeats',
    run: async (make) => {
      const { leases } = await (await make())(LONG_MS)
      const ids = Array.from({ length: 32 }, (_, n) => `n-${n}`)
      const first = await Promise.all(ids.map((id) => ownedBy(leases, node(id))))
      expect(first.filter((owned) => owned.length === EVERY.length)).to.have.length(1)
      let owned = new Map<string, readonly number[]>()
      for (let round = 0; round < 3; round++) {
        const heartbeats = ids.map(async (id) => [id, await ownedBy(leases, node(id))] as const)
        owned = new Map(await Promise.all(heartbeats))
      }
      expect(holders(owned).size).to.equal(EVERY.length)
    },
  },
  {
    name: 'keeps groups separate, and assigns nothing to a node without a group',
    run: async (make) => {
      const { leases } = await (await make())(LONG_MS)
      for (const group of ['a', 'b', 'null', '']) {
        expect(await ownedBy(leases, node('none', null))).to.deep.equal([])
        expect(await ownedBy(leases, node(`of ${group}`, group))).to.deep.equal(EVERY)
      }
      expect(await ownedBy(leases, node('of a', 'a'))).to.deep.equal(EVERY)
      expect(await ownedBy(leases, node('of a', null))).to.deep.equal([])
      expect(await ownedBy(leases, node('other of a', 'a'))).to.deep.equal(EVERY)
      expect(await ownedBy(leases, node('other of a', 'c'))).to.deep.equal(EVERY)
    },
  },
  {
    name: 'accepts any text as an id, a group and a view',
    run: async (make) => {
      const { leases } = await (await make())(LONG_MS)
      const odd = ['', ' ', '1 2,3', 'a\nb', '"', "'\\n", 'null', '%d+', 'é日\u2028', '\u0000', '__proto__']
      for (const text of odd) {
        expect(await leases.heartbeat(node(text, text, [text])), JSON.stringify(text)).to.deep.equal({
          owned: EVERY,
          used: [text],
        })
        await leases.leave(text)
      }
      await Promise.all(odd.map((text) => leases.heartbeat(node(text, null, [text]))))
      expect(await usedFor(leases, node('n-1'))).to.deep.equal([...odd].sort())
    },
  },
  {
    name: 'reassigns the partitions of a dead node when its lease expires, and not before',
    run: async (make) => {
      const world = await (await make())(SHORT_MS)
      const beganMs = await world.now()
      expect(await ownedBy(world.leases, node('dead'))).to.deep.equal(EVERY)
      await takesAll(world, node('n-1'), beganMs + SHORT_MS, (await world.now()) + SHORT_MS)
    },
  },
  {
    name: 'assigns free partitions to a node that was frozen past its lease, not its old ones',
    run: async (make) => {
      const world = await (await make())(SHORT_MS)
      expect(await ownedBy(world.leases, node('frozen'))).to.deep.equal(EVERY)
      await world.pass(SHORT_MS)
      for (;;) {
        const beganMs = await world.now()
        expect(await ownedBy(world.leases, node('n-1'))).to.deep.equal(EVERY)
        const woken = await ownedBy(world.leases, node('frozen'))
        // If the machine was suspended, the other lease may have expired too: then try once more.
        if ((await world.now()) < beganMs + SHORT_MS) {
          expect(woken).to.deep.equal([])
          return
        }
        await world.leases.leave('frozen')
      }
    },
  },
  {
    name: 'frees everything at once when a node leaves, also repeatedly',
    run: async (make) => {
      const { leases } = await (await make())(LONG_MS)
      await leases.leave('n-1')
      expect(await ownedBy(leases, node('n-1'))).to.deep.equal(EVERY)
      expect(await ownedBy(leases, node('n-2'))).to.deep.equal([])
      await leases.leave('n-1')
      await leases.leave('n-1')
      expect(await ownedBy(leases, node('n-2'))).to.deep.equal(EVERY)
      expect(await ownedBy(leases, node('n-1'))).to.deep.equal([])
    },
  },
  {
    name: 'lists the views that live nodes of any group use, each once and in order',
    run: async (make) => {
      const { leases } = await (await make())(LONG_MS)
      expect(await usedFor(leases, node('n-1', 'a', ['b@1', 'a@10', 'a@2']))).to.deep.equal(['a@10', 'a@2', 'b@1'])
      expect(await usedFor(leases, node('n-2', null, ['é@1', 'b@1', 'B@1']))).to.deep.equal([
        'B@1',
        'a@10',
        'a@2',
        'b@1',
        'é@1',
      ])
      expect(await usedFor(leases, node('n-1', 'b', ['c@1', 'c@1']))).to.deep.equal(['B@1', 'b@1', 'c@1', 'é@1'])
      await leases.leave('n-2')
      expect(await usedFor(leases, node('n-1'))).to.deep.equal([])
    },
  },
  {
    name: 'omits the views of a dead node after its lease expires',
    run: async (make) => {
      const world = await (await make())(SHORT_MS)
      const beganMs = await world.now()
      await world.leases.heartbeat(node('dead', null, ['old@1']))
      const endMs = (await world.now()) + SHORT_MS
      for (;;) {
        const askedMs = await world.now()
        const used = await usedFor(world.leases, node('n-1', 'a', ['new@1']))
        if (used.length === 1) {
          expect(used).to.deep.equal(['new@1'])
          expect(await world.now()).to.be.at.least(beganMs + SHORT_MS)
          return
        }
        expect(used).to.deep.equal(['new@1', 'old@1'])
        expect(askedMs).to.be.below(endMs)
        await world.pass(1)
      }
    },
  },
  {
    name: 'keeps every invariant while nodes join, freeze, die, leave and come back',
    run: async (make) => checkLeaseRules(await make(), SHORT_MS, 6),
  },
  {
    name: 'settles the shares with the minimum of moves when nodes join and leave',
    run: async (make) => sharesSettle(await make(), LONG_MS, 12),
  },
]
