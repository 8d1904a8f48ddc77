// Storing snapshots: when one is stored, what it contains, which ones are ignored, and what a failure does.

import { expect } from 'chai'
import type { StreamState } from '../../commands/fold.ts'
import { createSnapshots, removeSnapshots } from '../../commands/snapshots.ts'
import type { Aggregate } from '../../domain/decider.ts'
import { unsafeCast } from '../../domain/event.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createMemoryViews } from '../memory/views.ts'
import { pause } from '../until.ts'

interface Toy {
  readonly text: string
  readonly size: number
}

const TIME = '2026-11-21T00:00:00.000Z'
const INITIAL: Toy = { text: 'initial', size: 0 }
const VIEW = 'snapshots@1'

const aggregate = (form = 1): Aggregate<Toy, never> => ({
  name: 'toy',
  initial: INITIAL,
  evolve: (state) => state,
  size: ({ size }) => size,
  snapshot: { form, write: ({ text, size }) => ({ text, size }), read: (state) => unsafeCast<Toy>(state) },
})
const TOY = aggregate()
const state = (revision: number, size = 0, text = 'x'): StreamState<Toy> => ({
  state: { text, size },
  revision,
  time: TIME,
  position: 'p',
})
const UNFOLDED = { state: INITIAL, revision: -1, time: '', position: null }

/** Waits until the writes in the background are done. */
const done = () => pause(2)

describe('stored snapshots', () => {
  let views: Views
  let prepared: number
  let failures: unknown[]
  let ids: (revision: number) => string | undefined
  beforeEach(() => {
    const memory = createMemoryViews()
    prepared = 0
    failures = []
    ids = (revision) => `e${revision}`
    views = {
      ...memory,
      prepare: (view) => {
        prepared++
        return memory.prepare(view)
      },
    }
  })

  const made = () => {
    const readStream: Log['readStream'] = async (_stream, from) => {
      const id = ids(from)
      return id === undefined ? [] : unsafeCast([{ id }])
    }
    return createSnapshots(unsafeCast({ readStream }), views, (error) => void failures.push(error))
  }
  const stored = async (stream = 's') => {
    await done()
    if (!(await views.list()).includes(VIEW)) return null
    return (await views.get(VIEW, 'snapshots', [stream]))[0]?.body ?? null
  }
  const noted = async (at: StreamState<Toy>) => {
    made().note(TOY, 's', at)
    return (await stored()) !== null
  }

  it('contain the state with its form, revision, time, position and event', async () => {
    made().note(aggregate(7), 's', state(1_500, 3))
    expect(await stored()).to.deep.equal({
      ...{ form: 7, revision: 1_500, time: TIME, position: 'p', event: 'e1500' },
      state: { text: 'x', size: 3 },
    })
  })

  it('are stored from the thousandth event on', async () => {
    expect([await noted(state(998)), await noted(state(999))]).to.deep.equal([false, true])
  })

  it('are stored again after a thousand more events', async () => {
    const snapshots = made()
    snapshots.note(TOY, 's', state(999, 0, 'first'))
    await done()
    snapshots.note(TOY, 's', state(1_998, 0, 'second'))
    expect(await stored()).to.deep.include({ revision: 999 })
    snapshots.note(TOY, 's', state(1_999, 0, 'third'))
    expect(await stored()).to.deep.include({ revision: 1_999, state: { text: 'third', size: 0 } })
  })

  it('are stored less often for larger states', async () => {
    expect([await noted(state(1_498, 1_500)), await noted(state(1_499, 1_500))]).to.deep.equal([false, true])
  })

  it('are not stored of states with more than 250,000 entries', async () => {
    expect(await noted(state(300_000, 250_001))).to.equal(false)
    expect(await noted(state(300_000, 250_000))).to.equal(true)
  })

  it('are not stored of states with more than 8 MiB of text', async () => {
    const room = 8 * 1024 * 1024 - JSON.stringify({ text: '', size: 0 }).length
    expect(await noted(state(1_000, 0, 'x'.repeat(room + 1)))).to.equal(false)
    expect(await noted(state(1_000, 0, 'x'.repeat(room)))).to.equal(true)
  })

  it('are not stored if the log has no event at their revision', async () => {
    ids = () => undefined
    expect([await noted(state(1_000)), failures]).to.deep.equal([false, []])
  })

  it('are where folding continues, on another node too', async () => {
    made().note(TOY, 's', state(1_000, 2))
    await done()
    const snapshots = made()
    expect(await snapshots.latest(TOY, 's')).to.deep.equal(state(1_000, 2))
    expect(await snapshots.latest(TOY, 'other')).to.deep.equal(UNFOLDED)
    snapshots.note(TOY, 's', state(1_999))
    expect(await stored()).to.deep.include({ revision: 1_000 })
    snapshots.note(TOY, 's', state(2_000))
    expect(await stored()).to.deep.include({ revision: 2_000 })
  })

  it('are ignored if they have another form or are of another log', async () => {
    made().note(TOY, 's', state(1_000))
    await done()
    expect(await made().latest(aggregate(2), 's')).to.deep.equal(UNFOLDED)
    ids = () => 'another'
    expect(await made().latest(TOY, 's')).to.deep.equal(UNFOLDED)
    expect(failures).to.deep.equal([])
  })

  it('are neither read nor stored of aggregates without them', async () => {
    const { snapshot: _, ...bare } = TOY
    const snapshots = made()
    snapshots.note(bare, 's', state(5_000))
    expect(await snapshots.latest(bare, 's')).to.deep.equal(UNFOLDED)
    expect([await stored(), prepared]).to.deep.equal([null, 0])
  })

  it('prepare their view once, and again after a failure', async () => {
    const snapshots = made()
    for (let n = 0; n < 2; n++) await snapshots.latest(TOY, 's')
    expect(prepared).to.equal(1)
    const failure = new Error('away')
    const { get } = views
    views.get = () => Promise.reject(failure)
    expect(await snapshots.latest(TOY, 's')).to.deep.equal(UNFOLDED)
    views.get = get
    await snapshots.latest(TOY, 's')
    expect([failures, prepared]).to.deep.equal([[failure], 2])
  })

  it('are lost without an error for the caller if they cannot be stored', async () => {
    const failure = new Error('away')
    views.commit = () => Promise.reject(failure)
    expect(await noted(state(1_000))).to.equal(false)
    expect(failures).to.deep.equal([failure])
  })

  it('are removed for good, each stream’s by itself', async () => {
    await removeSnapshots(views, ['s'])
    expect(await views.list()).to.deep.equal([])
    const snapshots = made()
    for (const stream of ['s', 't']) snapshots.note(TOY, stream, state(1_000))
    await done()
    await removeSnapshots(views, ['s'])
    expect([await stored('s'), (await stored('t')) === null]).to.deep.equal([null, false])
    snapshots.note(TOY, 's', state(5_000))
    expect(await stored('s')).to.equal(null)
  })
})
