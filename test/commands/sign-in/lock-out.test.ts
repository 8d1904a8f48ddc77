// The lock-out on windows whose answers a test sets, and over several nodes that share their windows: what is counted,
// who waits, and who is refused.

import { expect } from 'chai'
import {
  createLockOut,
  MAX_WAITING,
  MAX_WAITING_OF_NETWORK,
  signInBusy,
  tooMany,
} from '../../../commands/sign-in/lock-out.ts'
import { Refusal } from '../../../domain/decider.ts'
import type { WindowSpec, Windows } from '../../../stores/contract/transient.ts'
import { createRates } from '../../../stores/embedded/transient.ts'
import { refusalCodeOf, refusalOf } from '../../refusal-of.ts'
import { turn } from '../../until.ts'

const NOW_MS = 1_000

/** Windows that answer with `waits`, and remember their calls. */
function windowsWith(waits: (specs: readonly WindowSpec[]) => number[] | Promise<number[]>) {
  const entered: { specs: readonly WindowSpec[]; attempt: string; nowMs: number }[] = []
  const left: { specs: readonly WindowSpec[]; attempt: string }[] = []
  const windows: Windows = {
    enter: async (specs, attempt, nowMs) => {
      entered.push({ specs, attempt, nowMs })
      return waits(specs)
    },
    leave: async (specs, attempt) => void left.push({ specs, attempt }),
  }
  return { entered, left, windows, lockOut: createLockOut(windows) }
}

/** A check that runs until a test ends it. */
function running() {
  let end = (_proven: string | null) => {}
  const check = () =>
    new Promise<string | null>((resolve) => {
      end = resolve
    })
  return { check, end: (proven: string | null) => end(proven) }
}

describe('the lock-out of sign-in attempts', () => {
  it('counts a password attempt for its login and its network, within a minute', async () => {
    const { entered, lockOut } = windowsWith(() => [0, 0])
    await lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, async () => null)
    expect(entered.map(({ specs, nowMs }) => ({ specs, nowMs }))).to.deep.equal([
      {
        specs: [
          { key: 'login:ada', max: 5, withinMs: 60_000 },
          { key: 'login_address:net', max: 20, withinMs: 60_000 },
        ],
        nowMs: NOW_MS,
      },
    ])
  })

  it('counts a mailed code for its network, within a quarter of an hour', async () => {
    const { entered, lockOut } = windowsWith(() => [0])
    await lockOut.attemptCode('net', NOW_MS, async () => null)
    expect(entered[0]?.specs).to.deep.equal([{ key: 'code_address:{net}', max: 20, withinMs: 900_000 }])
    expect(entered[0]?.nowMs).to.equal(NOW_MS)
  })

  it('uncounts an attempt that was right or could not be checked, and keeps a wrong one', async () => {
    const { entered, left, lockOut } = windowsWith(() => [0, 0])
    expect(await lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, async () => 'in')).to.equal('in')
    expect(
      await refusalCodeOf(
        lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, () => Promise.reject(new Error('away'))),
      ),
    ).to.equal('Error: away')
    expect(await lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, async () => null)).to.equal(null)
    expect(left).to.deep.equal(entered.slice(0, 2).map(({ specs, attempt }) => ({ specs, attempt })))
    expect(new Set(entered.map(({ attempt }) => attempt)).size).to.equal(3)
  })

  it('lets a right attempt in even if it cannot be uncounted', async () => {
    const { windows } = windowsWith(() => [0, 0])
    const lockOut = createLockOut({ ...windows, leave: () => Promise.reject(new Error('away')) })
    expect(await lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, async () => 'in')).to.equal('in')
  })

  it('names the window with the longest wait, without its key', async () => {
    for (const [waits, policy, seconds] of [
      [[1_000, 5_001], 'login_address', 6],
      [[5_000, 0], 'login', 5],
    ] as const) {
      const { lockOut } = windowsWith(() => [...waits])
      const refusal = await refusalOf(
        lockOut.attempt({ login: 'a:b', network: 'net', nowMs: NOW_MS }, async () => 'in'),
      )
      expect([refusal.kind, refusal.code]).to.deep.equal(['too_many', 'rate_limited'])
      expect(refusal.message).to.equal(`Too many sign-ins have failed. Wait ${seconds} s.`)
      expect(refusal.fields).to.deep.equal({ retry_after: seconds, policy })
    }
  })

  it('checks nothing when it refuses', async () => {
    const { lockOut, left } = windowsWith(() => [1, 0])
    let isChecked = false
    const check = async () => {
      isChecked = true
      return 'in'
    }
    expect(await refusalCodeOf(lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, check))).to.equal(
      'rate_limited',
    )
    expect([isChecked, left]).to.deep.equal([false, []])
  })

  /** A lock-out with a running attempt of ada from `net`; afterwards `full` names the full windows. */
  async function withRunning() {
    const full = new Set<string>()
    const rig = windowsWith((specs) => specs.map(({ key }) => (full.has(key) ? 1_000 : 0)))
    const one = running()
    const first = rig.lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, one.check)
    await turn()
    return { ...rig, full, first, end: one.end }
  }

  it('waits while a running attempt of this node may leave the full window', async () => {
    const { lockOut, full, first, end, entered } = await withRunning()
    full.add('login:ada')
    const second = lockOut.attempt({ login: 'ada', network: 'other', nowMs: NOW_MS }, async () => 'second')
    await turn()
    expect(entered).to.have.length(2)
    full.clear()
    end('first')
    expect([await first, await second]).to.deep.equal(['first', 'second'])
    expect(entered.map(({ attempt }) => attempt)[1]).to.equal(entered[2]?.attempt)
  })

  it('refuses after the wait if the attempt was wrong and the window is still full', async () => {
    const { lockOut, full, first, end } = await withRunning()
    full.add('login:ada')
    const second = refusalCodeOf(
      lockOut.attempt({ login: 'ada', network: 'other', nowMs: NOW_MS }, async () => 'second'),
    )
    await turn()
    end(null)
    expect([await first, await second]).to.deep.equal([null, 'rate_limited'])
  })

  it('refuses at once if only failures fill one of the full windows', async () => {
    const { lockOut, full, first, end } = await withRunning()
    full.add('login:ada').add('login_address:other')
    expect(
      await refusalCodeOf(lockOut.attempt({ login: 'ada', network: 'other', nowMs: NOW_MS }, async () => 'second')),
    ).to.equal('rate_limited')
    full.add('login:eve')
    expect(
      await refusalCodeOf(lockOut.attempt({ login: 'eve', network: 'net', nowMs: NOW_MS }, async () => 'second')),
    ).to.equal('rate_limited')
    end('first')
    await first
  })

  it('tries again if the running attempt ended while the windows were queried', async () => {
    let asked = 0
    const one = running()
    const { lockOut } = windowsWith(async () => {
      if (++asked !== 2) return [0, 0]
      one.end('first')
      await turn()
      return [1_000, 0]
    })
    const first = lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, one.check)
    await turn()
    expect(await lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, async () => 'second')).to.equal(
      'second',
    )
    expect([await first, asked]).to.deep.equal(['first', 3])
  })

  it('waits for no attempt that ended before it was made', async () => {
    const { lockOut, full, first, end } = await withRunning()
    end('first')
    await first
    full.add('login:ada')
    expect(
      await refusalCodeOf(lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, async () => 'second')),
    ).to.equal('rate_limited')
  })

  it('lets 64 attempts of one network wait, and again 64 after they have ended', async () => {
    const { lockOut, full, first, end } = await withRunning()
    const wait = (count: number) =>
      Array.from({ length: count }, () =>
        lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, async () => 'in'),
      )
    full.add('login:ada')
    const waiting = wait(MAX_WAITING_OF_NETWORK)
    await turn()
    const refusal = await refusalOf(lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, async () => 'in'))
    expect([refusal.kind, refusal.code, refusal.fields]).to.deep.equal([
      'unavailable',
      'sign_in_busy',
      { retry_after: 1 },
    ])
    full.clear()
    end('first')
    await Promise.all([first, ...waiting])

    const again = running()
    const holding = lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, again.check)
    await turn()
    full.add('login:ada')
    const more = wait(MAX_WAITING_OF_NETWORK)
    await turn()
    expect(
      await refusalCodeOf(lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, async () => 'in')),
    ).to.equal('sign_in_busy')
    full.clear()
    again.end('again')
    expect(await Promise.all([holding, ...more])).to.have.length(1 + MAX_WAITING_OF_NETWORK)
  })

  it('lets 1,024 attempts wait in all, and the next network’s after they have ended', async () => {
    const { lockOut, full, first, end } = await withRunning()
    full.add('login:ada')
    const waiting = Array.from({ length: MAX_WAITING }, (_, n) =>
      lockOut.attempt(
        { login: 'ada', network: `net-${Math.floor(n / MAX_WAITING_OF_NETWORK)}`, nowMs: NOW_MS },
        async () => 'in',
      ),
    )
    await turn()
    expect(
      await refusalCodeOf(lockOut.attempt({ login: 'ada', network: 'another', nowMs: NOW_MS }, async () => 'in')),
    ).to.equal('sign_in_busy')
    full.clear()
    end('first')
    expect(new Set(await Promise.all([first, ...waiting]))).to.deep.equal(new Set(['first', 'in']))

    const again = running()
    const holding = lockOut.attempt({ login: 'ada', network: 'net', nowMs: NOW_MS }, again.check)
    await turn()
    full.add('login:ada')
    const last = lockOut.attempt({ login: 'ada', network: 'another', nowMs: NOW_MS }, async () => 'last')
    await turn()
    full.clear()
    again.end('again')
    expect([await holding, await last]).to.deep.equal(['again', 'last'])
  })
})

describe('the refusals of too many attempts', () => {
  it('tell the caller to wait whole seconds, at least one', () => {
    for (const [waitMs, seconds] of [
      [0, 1],
      [1, 1],
      [1_000, 1],
      [1_001, 2],
    ] as const) {
      const { kind, code, message, fields } = tooMany('mail', waitMs, 'Too many.')
      expect([kind, code, message]).to.deep.equal(['too_many', 'rate_limited', `Too many. Wait ${seconds} s.`])
      expect(fields).to.deep.equal({ retry_after: seconds, policy: 'mail' })
    }
  })

  it('tell the caller that nothing was changed if too many wait', () => {
    const refusal = signInBusy()
    expect(refusal).to.be.instanceOf(Refusal)
    expect(refusal.message).to.equal('Too many players are signing in. Nothing was changed. Try again.')
  })
})

const SHARED_NOW_MS = Date.parse('2026-01-01T00:00:00.000Z')
const fails = async () => null

describe('the lock-out of several nodes', () => {
  it('counts failures of all nodes, even concurrent ones', async () => {
    const rates = createRates()
    const nodes = [createLockOut(rates), createLockOut(rates), createLockOut(rates)]
    let looked = 0
    const guess = async () => {
      looked += 1
      await turn()
      return null
    }
    const attempts = Array.from({ length: 48 }, (_, n) =>
      nodes[n % 3]?.attempt({ login: 'login', network: `address-${n}`, nowMs: SHARED_NOW_MS }, guess),
    )
    const outcomes = await Promise.allSettled(attempts)
    expect(looked).to.equal(5)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(5)
    for (const one of outcomes) {
      if (one.status === 'rejected') expect(one.reason).to.be.instanceOf(Refusal).with.property('code', 'rate_limited')
    }
  })

  it('admits waiting attempts one by one as running ones turn out right', async () => {
    const lockOut = createLockOut(createRates())
    let at = 0
    let most = 0
    const isRight = async () => {
      at += 1
      most = Math.max(most, at)
      await turn()
      at -= 1
      return 'in'
    }
    const attempts = Array.from({ length: 64 }, () =>
      lockOut.attempt({ login: 'login', network: 'address', nowMs: SHARED_NOW_MS }, isRight),
    )
    expect(await Promise.all(attempts)).to.deep.equal(Array(64).fill('in'))
    expect(most).to.equal(5)
  })

  it('does not count an attempt that failed with an error', async () => {
    const lockOut = createLockOut(createRates())
    for (let n = 0; n < 10; n += 1) {
      const broken = lockOut.attempt({ login: 'login', network: 'address', nowMs: SHARED_NOW_MS }, () =>
        Promise.reject(new Error('a store is unavailable')),
      )
      expect(await broken.catch((error: unknown) => String(error))).to.equal('Error: a store is unavailable')
    }
    for (let n = 0; n < 5; n += 1)
      expect(await lockOut.attempt({ login: 'login', network: 'address', nowMs: SHARED_NOW_MS }, fails)).to.equal(null)
    const refused = await lockOut
      .attempt({ login: 'login', network: 'address', nowMs: SHARED_NOW_MS }, fails)
      .catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(Refusal)
    expect((refused as Refusal).fields).to.deep.equal({ retry_after: 60, policy: 'login' })
  })
})
