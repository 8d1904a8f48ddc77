// Repeats of calls whose path named a leaderboard by a key that has moved: what the views lack is looked for in the
// log.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { MovedKeys, type MovedKeysDeps } from '../../http/pipeline/moved-keys.ts'
import { callsAfter, type RecordedCall } from '../../queries/call.ts'
import { createTransient } from '../../stores/embedded/transient.ts'
import { createMemoryLog } from '../memory/log.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { gate } from '../until.ts'

const COMMAND = 'the-call'
const TIME = '2026-11-23T03:00:00.000Z'
const CALLS_ENDED_MS = 60_000

describe('a call that names a leaderboard by a key which has moved', () => {
  const log = createMemoryLog()
  const positions: string[] = []
  let now = 0
  /** Index of the last event that the views have. */
  let viewed = 0
  let reads = { log: 0, claims: 0 }

  /** Returns its index. */
  async function record(stream: string, game: string, command: string, call?: string): Promise<number> {
    const meta = { v: 1, game, command, actor: null, request: null, time: TIME } as const
    const event = {
      id: randomUUID(),
      type: 'Recorded',
      data: {},
      meta: call === undefined ? meta : { ...meta, call },
    }
    const appended = await log.append(stream, 'none', [event])
    if (appended.kind === 'conflict') throw new Error(`${stream} exists`)
    return positions.push(appended.position) - 1
  }

  let [first, since, recorded, elsewhere] = [0, 0, 0, 0]
  before(async () => {
    first = await record('boardkey-g1-weekly', 'g1', 'c1')
    since = await record('board-two', 'g1', 'c2')
    elsewhere = await record('board-x', 'g2', COMMAND, 'hash elsewhere')
    recorded = await record('lb_one-player', 'g1', COMMAND, 'hash')
  })
  beforeEach(() => {
    now = 0
    reads = { log: 0, claims: 0 }
    viewed = since
  })

  const call: RecordedCall = { call: 'hash', time: TIME, board: 'one', player: 'player' }
  const deps = (): MovedKeysDeps => ({
    contexts: Object.create(null),
    transient: createTransient(),
    commandSeen: async (command) => (command === COMMAND && viewed >= recorded ? call : null),
    firstClaim: async (_game, key) => {
      reads.claims++
      return key === 'never' ? null : (positions[first] ?? null)
    },
    callsReached: async () => positions[viewed] ?? null,
    callsAfter: (of, position) => {
      reads.log++
      return callsAfter(log, of, position)
    },
  })
  const named = (at: number | null, key = 'weekly') => ({
    game: 'g1',
    key,
    board: at === null ? null : { board: 'two', since: positions[at] as string },
  })
  const seenBy = (keys: MovedKeys, of = named(since), command = COMMAND) => keys.of(of).commandSeen(command)
  const make = () => new MovedKeys(deps(), () => now)

  it('is found in the log while the views lack it, in its own game only', async () => {
    expect(elsewhere).to.be.within(since, recorded)
    expect(await seenBy(make())).to.deep.equal(call)
    expect(await seenBy(make(), named(since), 'another call')).to.equal(null)
    expect(await seenBy(make(), named(null)), 'a key that is free now').to.deep.equal(call)
  })

  it('is found in the views without a read of the log once they have it', async () => {
    viewed = recorded
    expect([await seenBy(make()), reads.log]).to.deep.equal([call, 0])
  })

  it('is found if the views get it between the reads of their position and of the call', async () => {
    const late = { ...deps(), callsReached: async () => positions[since] ?? null }
    viewed = recorded
    expect(await seenBy(new MovedKeys(late, () => now))).to.deep.equal(call)
  })

  it('reads nothing but the first claim, once, for a key that has never moved', async () => {
    const keys = make()
    for (let times = 0; times < 3; times++) expect(await seenBy(keys, named(first))).to.equal(null)
    expect(reads).to.deep.equal({ log: 0, claims: 1 })
  })

  it('stops to read the log once all calls of before have ended and the views lack nothing', async () => {
    const keys = make()
    const other = () => seenBy(keys, named(since), 'another call')
    await other()
    now = CALLS_ENDED_MS + 1
    await other()
    await other()
    expect(reads.log, 'the views lack an event of the game').to.equal(3)
    viewed = recorded
    await other()
    await other()
    expect(reads, 'the last read found that they lack none').to.deep.equal({ log: 4, claims: 1 })
  })

  it('shares one read of the log, and one of the first claim, with all that are looked for at once', async () => {
    const keys = make()
    const all = Array.from({ length: 500 }, (_, n) => (n % 2 === 0 ? COMMAND : `another call ${n}`))
    const seen = await Promise.all(all.map((command) => seenBy(keys, named(since), command)))
    expect(seen).to.deep.equal(all.map((command) => (command === COMMAND ? call : null)))
    expect(reads).to.deep.equal({ log: 1, claims: 1 })
  })

  it('is asked for again after a read of the log that failed', async () => {
    let isFailing = true
    const failing: MovedKeysDeps = {
      ...deps(),
      callsAfter: async (of, position) => {
        if (isFailing) throw new Error('planted')
        return deps().callsAfter(of, position)
      },
    }
    const keys = new MovedKeys(failing, () => now)
    const failed = await Promise.allSettled([seenBy(keys), seenBy(keys)])
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    isFailing = false
    expect(await seenBy(keys)).to.deep.equal(call)
  })

  it('reads the log again after the next move', async () => {
    const keys = make()
    viewed = recorded
    await seenBy(keys, named(since), 'another call')
    now = 2 * CALLS_ENDED_MS
    await seenBy(keys, named(since), 'another call')
    await seenBy(keys, named(recorded), 'another call')
    expect(reads).to.deep.equal({ log: 3, claims: 2 })
  })

  it('is refused with 503 if the views are too far behind to look for it', async () => {
    const lagging = { ...deps(), callsAfter: async () => ({ calls: new Map(), hasEvents: true, isComplete: false }) }
    expect(await refusalCodeOf(seenBy(new MovedKeys(lagging, () => now)))).to.equal('behind')
  })

  it('is found by a read of the log that began after it was asked for', async () => {
    const [begun, read] = [gate(), gate()]
    let isFirst = true
    const slow: MovedKeysDeps = {
      ...deps(),
      async callsAfter(of, position) {
        const found = await deps().callsAfter(of, position)
        if (isFirst) {
          isFirst = false
          begun.open()
          await read.opened
        }
        return found
      },
    }
    const keys = new MovedKeys(slow, () => now)
    const before = seenBy(keys, named(since), 'late call')
    await begun.opened
    await record('lb_one-other', 'g1', 'late call', 'hash')
    const after = seenBy(keys, named(since), 'late call')
    read.open()
    expect([await before, (await after)?.call]).to.deep.equal([null, 'hash'])
  })
})
