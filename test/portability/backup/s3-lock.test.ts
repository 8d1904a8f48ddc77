// The lock on a backup destination in S3, on a store in memory and a simulated clock: who gets it, and when it is taken
// over.

import { expect } from 'chai'
import { type LockClock, type LockObject, takeS3Lock } from '../../../portability/backup/s3-lock.ts'
import { turn, until } from '../../until.ts'

const IN_USE = /^BackupFault: Another backup, verification or restore is using s3:\/\/b\/p/
const LOST = 'The lock of the backup destination was lost'

interface Store extends LockObject {
  /** Conditions that the store ignores. */
  readonly ignored: Set<'IfMatch' | 'IfNoneMatch'>
  /** If true, the next write succeeds, but its answer is lost, and its repetition is refused. */
  losesAnswer: boolean
  isAway: boolean
  /** Another program's object takes the name of the lock. */
  replaceByForeign(): void
}

function storeInMemory(): Store {
  let stored: { readonly etag: string; readonly holder: string | null } | null = null
  let writes = 0
  const store: Store = {
    shown: 's3://b/p',
    ignored: new Set(),
    losesAnswer: false,
    isAway: false,
    async putIf(condition, holder) {
      if (store.isAway) throw new Error('away')
      const isMet =
        'IfMatch' in condition
          ? store.ignored.has('IfMatch') || stored?.etag === condition.IfMatch
          : store.ignored.has('IfNoneMatch') || stored === null
      if (!isMet) return false
      stored = { etag: `"${++writes}"`, holder }
      const isLost = store.losesAnswer
      store.losesAnswer = false
      return !isLost
    },
    async read() {
      if (store.isAway) throw new Error('away')
      return stored
    },
    async remove() {
      stored = null
    },
    replaceByForeign() {
      stored = { etag: `"${++writes}"`, holder: null }
    },
  }
  return store
}

/** A machine in simulated time, with a monotonic clock that begins at another value than those of other machines. */
class Machine implements LockClock {
  isSuspended = false
  readonly #world: World
  readonly #origin: number
  constructor(world: World, origin: number) {
    this.#world = world
    this.#origin = origin
  }
  now = () => this.#origin + this.#world.nowMs
  pause = async (ms: number) => {
    const untilMs = this.#world.nowMs + ms
    await until(() => this.#world.nowMs >= untilMs)
  }
  every = (ms: number, run: () => void) =>
    this.#world.schedule(ms, () => {
      if (!this.isSuspended) run()
    })
}

class World {
  nowMs = 0
  readonly #timers = new Set<{ dueMs: number; readonly everyMs: number; readonly run: () => void }>()

  schedule(everyMs: number, run: () => void): () => void {
    const timer = { dueMs: this.nowMs + everyMs, everyMs, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  async pass(seconds: number): Promise<void> {
    for (let n = 0; n < seconds; n++) {
      this.nowMs += 1_000
      for (const timer of this.#timers) {
        if (timer.dueMs > this.nowMs) continue
        timer.dueMs += timer.everyMs
        timer.run()
      }
      for (let n = 0; n < 20; n++) await turn()
    }
  }
}

function worldOf() {
  const [world, store] = [new World(), storeInMemory()]
  let machines = 0
  const waits: number[] = []
  const take = (machine: LockClock = new Machine(world, ++machines * 1e9)) =>
    takeS3Lock(store, { onWait: (ms) => waits.push(ms), clock: machine })
  /** The outcome so far. */
  const watched = (taking: ReturnType<typeof take>) => {
    const state = { outcome: 'waiting' }
    taking.then(
      () => Object.assign(state, { outcome: 'taken' }),
      (failure) => Object.assign(state, { outcome: String(failure) }),
    )
    return state
  }
  return { world, store, take, watched, waits, machine: () => new Machine(world, ++machines * 1e9) }
}

describe('the lock on a backup destination in S3', () => {
  it('is refused to a second process while the first one renews it, whatever their clocks show', async () => {
    const { world, take, watched, waits } = worldOf()
    const lock = await take()
    const second = watched(take())
    await world.pass(9)
    expect([second.outcome, waits]).to.deep.equal(['waiting', [60_000]])
    await world.pass(3)
    expect(second.outcome).to.match(IN_USE)
    lock.check()
    await lock.release()
    await (await take()).release()
  })

  it('is refused at once where an object of another program has its name, which stays', async () => {
    const { store, take, waits } = worldOf()
    store.replaceByForeign()
    expect(String(await take().catch((failure: unknown) => failure))).to.contain(
      'BackupFault: The object lock in s3://b/p is not the lock of a backup. Nothing was read or written.',
    )
    expect([await store.read(), waits]).to.deep.equal([{ etag: '"1"', holder: null }, []])
  })

  it('is free at once after its release, also for a process that waits', async () => {
    const { world, take, watched } = worldOf()
    const lock = await take()
    const second = watched(take())
    await lock.release()
    await world.pass(2)
    expect(second.outcome).to.equal('taken')
  })

  it('of a suspended process is taken over after a minute, by exactly one, and the first one notices', async () => {
    const { world, store, take, watched, machine } = worldOf()
    const suspended = machine()
    const lost = await take(suspended)
    suspended.isSuspended = true
    const contenders = Array.from({ length: 5 }, () => watched(take()))
    await world.pass(59)
    expect(contenders.map(({ outcome }) => outcome)).to.deep.equal(contenders.map(() => 'waiting'))
    await world.pass(3)
    const outcomes = contenders.map(({ outcome }) => outcome).toSorted()
    expect(outcomes.pop()).to.equal('taken')
    for (const outcome of outcomes) expect(outcome).to.match(IN_USE)
    expect(() => lost.check()).to.throw(LOST)
    const failure = await lost.confirm().catch(String)
    expect(failure).to.contain(LOST)
    await lost.release()
    expect(await store.read()).not.to.equal(null)
  })

  it('is lost to a process whose monotonic clock stopped while its machine slept: it asks before it relies on it', async () => {
    const { world, take, watched } = worldOf()
    const slept: LockClock = { now: () => 0, pause: async () => {}, every: () => () => {} }
    const lock = await take(slept)
    const other = watched(take())
    await world.pass(62)
    expect(other.outcome).to.equal('taken')
    lock.check()
    expect(await lock.confirm().catch(String)).to.contain(LOST)
  })

  it('is relied on for half of that minute without a renewal, so that a write ends before a take-over', async () => {
    const { world, store, take } = worldOf()
    const lock = await take()
    store.isAway = true
    await world.pass(29)
    lock.check()
    await world.pass(2)
    expect(() => lock.check()).to.throw(LOST)
    store.isAway = false
    await lock.confirm()
    lock.check()
  })

  it('is taken and renewed although answers to its writes are lost', async () => {
    const { world, store, take } = worldOf()
    store.losesAnswer = true
    const lock = await take()
    store.losesAnswer = true
    await world.pass(50)
    lock.check()
    await lock.release()
    expect(await store.read()).to.equal(null)
  })

  it('is refused on a store that ignores one of the conditions, and leaves no lock there', async () => {
    for (const ignored of ['IfMatch', 'IfNoneMatch'] as const) {
      const { store, take } = worldOf()
      store.ignored.add(ignored)
      const failure = await take().catch(String)
      expect(failure).to.equal(
        'BackupFault: The S3 store of s3://b/p does not support If-None-Match and If-Match on PUT, which the lock on a ' +
          'backup destination needs. Use a store, or a version of it, that supports both.',
      )
      expect(await store.read()).to.equal(null)
    }
  })
})
