// A node's heartbeat: what it holds follows from its last one, and ends with its time.

import { expect } from 'chai'
import { type Heartbeat, startHeartbeat } from '../../cluster/heartbeat.ts'
import { aborted } from '../../scheduling/aborted.ts'
import type { HeartbeatAnswer, Leases } from '../../stores/contract/leases.ts'
import { gate } from '../until.ts'

const NODE = { id: 'n1', group: 'views', uses: ['entries@1'] }
const FAST = { heartbeatEveryMs: 5, leaseMs: 40 }
/** A lease that no busy machine sees the end of. */
const LASTING = { heartbeatEveryMs: 5, leaseMs: 600_000 }

/** Leases that answer what a test says, or fail. */
function toldLeases() {
  const told = {
    held: [1, 2, 3] as readonly number[],
    fails: false,
    left: [] as string[],
    leases: {
      heartbeat: async (): Promise<HeartbeatAnswer> => {
        if (told.fails) throw new Error('away')
        return { held: told.held, used: ['entries@1'] }
      },
      leave: async (id) => {
        told.left.push(id)
      },
    } satisfies Leases,
  }
  return told
}

const heldBy = (heartbeat: Heartbeat) => [...heartbeat.now().partitions]

describe('a heartbeat', () => {
  const failures: unknown[] = []
  const hooks = { beaten: () => {}, failed: (why: unknown) => void failures.push(why) }
  let heartbeat: Heartbeat
  afterEach(async () => {
    await heartbeat.stop()
    failures.length = 0
  })

  it('tells what is held from the first one on, and when that changes', async () => {
    const told = toldLeases()
    heartbeat = await startHeartbeat(told.leases, NODE, hooks, LASTING)
    const { changed } = heartbeat.now()
    expect(heldBy(heartbeat)).to.deep.equal([1, 2, 3])
    told.held = [2, 3, 4]
    await aborted(changed)
    expect(heldBy(heartbeat)).to.deep.equal([2, 3, 4])
  })

  it('changes nothing where the same is held', async () => {
    const told = toldLeases()
    let beats = 0
    const { opened: several, open: enough } = gate()
    const counting = { ...hooks, beaten: () => void (++beats === 5 && enough()) }
    heartbeat = await startHeartbeat(told.leases, NODE, counting, LASTING)
    const before = heartbeat.now()
    await several
    expect(heartbeat.now()).to.equal(before)
    expect(before.changed.aborted).to.equal(false)
  })

  it('holds nothing once the lease is over, and again when the store is back', async () => {
    const told = toldLeases()
    heartbeat = await startHeartbeat(told.leases, NODE, hooks, FAST)
    told.fails = true
    await aborted(heartbeat.now().changed)
    expect(heldBy(heartbeat)).to.deep.equal([])
    expect(failures.length).to.be.greaterThan(0)
    told.fails = false
    await aborted(heartbeat.now().changed)
    expect(heldBy(heartbeat)).to.deep.equal([1, 2, 3])
  })

  it('tells how long the node was not heard of', async () => {
    const told = toldLeases()
    const gaps: number[] = []
    heartbeat = await startHeartbeat(told.leases, NODE, { ...hooks, beaten: (_, gapMs) => void gaps.push(gapMs) }, FAST)
    told.fails = true
    await aborted(heartbeat.now().changed)
    told.fails = false
    await aborted(heartbeat.now().changed)
    // The beat that is heard may be on its way already when the lease ends.
    expect(gaps.at(-1)).to.be.greaterThan(FAST.leaseMs - FAST.heartbeatEveryMs)
  })

  it('gives back what is held when it stops, and beats no more', async () => {
    const told = toldLeases()
    let beats = 0
    heartbeat = await startHeartbeat(told.leases, NODE, { ...hooks, beaten: () => void beats++ }, FAST)
    await heartbeat.stop()
    const until = beats
    await new Promise((wake) => setTimeout(wake, FAST.heartbeatEveryMs * 4))
    expect([beats, told.left]).to.deep.equal([until, ['n1']])
  })

  it('fails to start where the first one fails', async () => {
    const told = toldLeases()
    told.fails = true
    const failure = await startHeartbeat(told.leases, NODE, hooks, FAST).catch((why: Error) => why.message)
    expect(failure).to.equal('away')
  })
})
