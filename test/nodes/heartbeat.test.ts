// A node's heartbeat: its owned partitions follow from the last answer, and end with the lease.

import { expect } from 'chai'
import { aborted } from '../../runtime/yield-to-event-loop.ts'
import { type Heartbeat, startHeartbeat } from '../../server/node/heartbeat.ts'
import type { HeartbeatAnswer, Leases } from '../../stores/contract/leases.ts'
import { gate, pause } from '../until.ts'

const NODE = { id: 'n1', group: 'views', uses: ['entries@1'] }
const FAST = { heartbeatEveryMs: 5, leaseMs: 40 }
/** A lease that does not expire even on a busy machine. */
const LASTING = { heartbeatEveryMs: 5, leaseMs: 600_000 }

/** Leases with answers that the test sets, or failures. */
function fakeLeases() {
  const fake = {
    owned: [1, 2, 3] as readonly number[],
    fails: false,
    left: [] as string[],
    leases: {
      heartbeat: async (): Promise<HeartbeatAnswer> => {
        if (fake.fails) throw new Error('away')
        return { owned: fake.owned, used: ['entries@1'] }
      },
      leave: async (id) => {
        fake.left.push(id)
      },
    } satisfies Leases,
  }
  return fake
}

const ownedBy = (heartbeat: Heartbeat) => [...heartbeat.now().partitions]

describe('a heartbeat', () => {
  const failures: unknown[] = []
  const hooks = { onHeartbeat: () => {}, failed: (error: unknown) => void failures.push(error) }
  let heartbeat: Heartbeat
  afterEach(async () => {
    await heartbeat.stop()
    failures.length = 0
  })

  it('reports the owned partitions from the first heartbeat on, and when they change', async () => {
    const fake = fakeLeases()
    heartbeat = await startHeartbeat(fake.leases, NODE, hooks, LASTING)
    const { changed } = heartbeat.now()
    expect(ownedBy(heartbeat)).to.deep.equal([1, 2, 3])
    fake.owned = [2, 3, 4]
    await aborted(changed)
    expect(ownedBy(heartbeat)).to.deep.equal([2, 3, 4])
  })

  it('reports no change if the same partitions are owned', async () => {
    const fake = fakeLeases()
    let heartbeats = 0
    const { opened: several, open: enough } = gate()
    const counting = { ...hooks, onHeartbeat: () => void (++heartbeats === 5 && enough()) }
    heartbeat = await startHeartbeat(fake.leases, NODE, counting, LASTING)
    const before = heartbeat.now()
    await several
    expect(heartbeat.now()).to.equal(before)
    expect(before.changed.aborted).to.equal(false)
  })

  it('owns nothing after the lease expires, and owns partitions again when the store is back', async () => {
    const fake = fakeLeases()
    heartbeat = await startHeartbeat(fake.leases, NODE, hooks, FAST)
    fake.fails = true
    await aborted(heartbeat.now().changed)
    expect(ownedBy(heartbeat)).to.deep.equal([])
    expect(failures.length).to.be.greaterThan(0)
    fake.fails = false
    await aborted(heartbeat.now().changed)
    expect(ownedBy(heartbeat)).to.deep.equal([1, 2, 3])
  })

  it('reports for how long no heartbeat succeeded', async () => {
    const fake = fakeLeases()
    const gaps: number[] = []
    heartbeat = await startHeartbeat(
      fake.leases,
      NODE,
      { ...hooks, onHeartbeat: (_, gapMs) => void gaps.push(gapMs) },
      FAST,
    )
    fake.fails = true
    await aborted(heartbeat.now().changed)
    fake.fails = false
    await aborted(heartbeat.now().changed)
    // The heartbeat that succeeds may already be in flight when the lease expires.
    expect(gaps.at(-1)).to.be.greaterThan(FAST.leaseMs - FAST.heartbeatEveryMs)
  })

  it('releases its partitions when it stops, and sends no more heartbeats', async () => {
    const fake = fakeLeases()
    let heartbeats = 0
    heartbeat = await startHeartbeat(fake.leases, NODE, { ...hooks, onHeartbeat: () => void heartbeats++ }, FAST)
    await heartbeat.stop()
    const until = heartbeats
    await pause(FAST.heartbeatEveryMs * 4)
    expect([heartbeats, fake.left]).to.deep.equal([until, ['n1']])
  })

  it('fails to start if the first heartbeat fails', async () => {
    const fake = fakeLeases()
    fake.fails = true
    const failure = await startHeartbeat(fake.leases, NODE, hooks, FAST).catch((error: Error) => error.message)
    expect(failure).to.equal('away')
  })
})
