// The single-process guard on MongoDB without Redis: a second process is refused, a dead one is replaced
// automatically, and a process that was replaced ends. Uses a row in memory; mongodb-alone.servers.ts tests the row
// in MongoDB.

import { expect } from 'chai'
import { whileSingleProcess } from '../../server/while-single-process.ts'
import { StoresFault, StoreUnavailable } from '../../stores/contract/faults.ts'
import { type GuardClaim, type GuardRow, guardSingleProcess } from '../../stores/mongodb/single-process.ts'
import { appended, someEvents } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { gate } from '../until.ts'

const QUICK = { heartbeatEveryMs: 20, silentMs: 400, checkEveryMs: 10, marginMs: 100 }
/** A process without heartbeats: as if it were killed right after its start. */
const SILENT = { ...QUICK, heartbeatEveryMs: 1_000_000 }

function rowInMemory() {
  let row: GuardClaim | null = null
  const store: GuardRow & { row(): GuardClaim | null } = {
    row: () => row,
    read: async () => row,
    take: async (before, after) => {
      if (JSON.stringify(row) !== JSON.stringify(before)) return false
      row = after
      return true
    },
    beat: async (held) => {
      if (row?.holder !== held.holder) return false
      row = held
      return true
    },
    leave: async (holder) => {
      if (row?.holder === holder) row = null
    },
  }
  return store
}

const never = (reason: string) => {
  throw new Error(reason)
}
const refused = (taking: Promise<unknown>) =>
  taking.then(
    () => 'held',
    (reason: unknown) => (reason instanceof StoresFault ? reason.message : String(reason)),
  )
const SAYS = /^The MongoDB at here is used by another process, and without REDIS_URL one alone may use it/

describe('the single-process guard on MongoDB', () => {
  it('admits the first process at once, and the next one at once after the first has left', async () => {
    const row = rowInMemory()
    const patient = { ...QUICK, silentMs: 1_000_000 }
    const first = await guardSingleProcess(row, 'here', never, patient)
    await first.leave()
    expect(row.row()).to.equal(null)
    await (await guardSingleProcess(row, 'here', never, patient)).leave()
  })

  it('refuses a second process while the first is alive', async () => {
    const row = rowInMemory()
    const first = await guardSingleProcess(row, 'here', never, QUICK)
    expect(await refused(guardSingleProcess(row, 'here', never, { ...QUICK, silentMs: 10_000 }))).to.match(SAYS)
    await first.leave()
  })

  it('admits exactly one of several starting processes after the first was killed', async () => {
    const row = rowInMemory()
    await guardSingleProcess(row, 'here', () => {}, SILENT)
    const starting = Array.from({ length: 5 }, () => guardSingleProcess(row, 'here', never, QUICK))
    const settled = await Promise.allSettled(starting)
    const held = settled.filter(({ status }) => status === 'fulfilled')
    expect(held).to.have.length(1)
    for (const one of starting)
      await one.then(
        (alone) => alone.leave(),
        () => {},
      )
  })

  it('admits exactly one of several processes that start at the same time', async () => {
    const row = rowInMemory()
    const starting = Array.from({ length: 5 }, () =>
      guardSingleProcess(row, 'here', never, { ...QUICK, silentMs: 10_000 }),
    )
    const outcomes = await Promise.all(starting.map(refused))
    expect(outcomes.filter((one) => one === 'held')).to.have.length(1)
    for (const one of outcomes.filter((one) => one !== 'held')) expect(one).to.match(SAYS)
    for (const one of starting)
      await one.then(
        (alone) => alone.leave(),
        () => {},
      )
  })

  it('admits a process that starts while the first one shuts down', async () => {
    const row = rowInMemory()
    const first = await guardSingleProcess(row, 'here', never, SILENT)
    const second = guardSingleProcess(row, 'here', never, { ...QUICK, silentMs: 1_000_000 })
    await first.leave()
    await (await second).leave()
  })

  it('reports a takeover once, and ignores failures of the server', async () => {
    const row = rowInMemory()
    let isUnavailable = true
    let failures = 0
    const beat: GuardRow['beat'] = async (held) => {
      if (!isUnavailable) return row.beat(held)
      failures++
      throw new Error('away')
    }
    const outcomes: string[] = []
    const { opened: lost, open: tell } = gate()
    const hear = (reason: string) => {
      outcomes.push(reason)
      tell()
    }
    await guardSingleProcess({ ...row, beat }, 'here', hear, QUICK)
    const second = await guardSingleProcess(row, 'here', never, QUICK)
    expect(failures).to.be.above(0)
    expect(outcomes).to.deep.equal([])
    isUnavailable = false
    await lost
    await new Promise((wake) => setTimeout(wake, 3 * QUICK.heartbeatEveryMs))
    expect(outcomes).to.have.length(1)
    expect(outcomes[0]).to.match(/has taken over the MongoDB at here/)
    await second.leave()
  })

  it('stops being sure before another process can take over, and is sure again after a successful heartbeat', async () => {
    const row = rowInMemory()
    let isUnavailable = false
    const beat: GuardRow['beat'] = async (held) => {
      if (isUnavailable) throw new Error('away')
      return row.beat(held)
    }
    // Notified in the same step in which the other process takes the row.
    const sureThen: boolean[] = []
    const first = await guardSingleProcess({ ...row, beat }, 'here', () => {}, QUICK)
    while (!first.isSure()) await new Promise((wake) => setTimeout(wake, 5))
    isUnavailable = true
    while (first.isSure()) await new Promise((wake) => setTimeout(wake, 5))
    isUnavailable = false
    while (!first.isSure()) await new Promise((wake) => setTimeout(wake, 5))
    isUnavailable = true
    const take: GuardRow['take'] = async (before, after) => {
      sureThen.push(first.isSure())
      return row.take(before, after)
    }
    const second = await guardSingleProcess({ ...row, take }, 'here', never, QUICK)
    expect([sureThen, first.isSure()]).to.deep.equal([[false], false])
    while (!second.isSure()) await new Promise((wake) => setTimeout(wake, 5))
    await second.leave()
    await first.leave()
  })

  it('measures from when a heartbeat was sent, however late the answer arrives', async () => {
    const row = rowInMemory()
    const { opened: answered, open: answer } = gate()
    let asked = 0
    let askedMs = Number.POSITIVE_INFINITY
    const beat: GuardRow['beat'] = async (held) => {
      if (asked++ === 0) askedMs = performance.now()
      const isOurs = await row.beat(held)
      await answered
      if (asked > 1) throw new Error('away')
      return isOurs
    }
    const first = await guardSingleProcess({ ...row, beat }, 'here', () => {}, QUICK)
    while (performance.now() - askedMs < QUICK.silentMs) await new Promise((wake) => setTimeout(wake, 5))
    answer()
    while (asked < 2) await new Promise((wake) => setTimeout(wake, 5))
    expect(first.isSure()).to.equal(false)
    await first.leave()
  })
})

describe('a log guarded by the single-process guard', () => {
  it('rejects appends while another process may have taken over, and accepts them afterwards', async () => {
    let isAlone = true
    const kept = createMemoryLog()
    const log = whileSingleProcess(kept, () => isAlone)
    await appended(log, 's-1', 'none', someEvents(1))
    isAlone = false
    const refusal = await log.append('s-1', 0, someEvents(1)).catch((reason: unknown) => reason)
    expect(refusal).to.be.an.instanceOf(StoreUnavailable)
    expect(await log.readStream('s-1', 0, 9)).to.have.length(1)
    isAlone = true
    await appended(log, 's-1', 0, someEvents(1))
    expect(await kept.readStream('s-1', 0, 9)).to.have.length(2)
  })
})
