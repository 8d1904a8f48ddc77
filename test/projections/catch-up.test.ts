// Catching up: how events are split at replays, what is written in which order, and what is reported meanwhile.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { batchesOf, type CatchUpDeps, catchUp, writeReached } from '../../projections/catch-up.ts'
import { everywhere } from '../../projections/checkpoints.ts'
import { createApplier } from '../../projections/create-applier.ts'
import type { Projection, Replays } from '../../projections/projection.ts'
import { LogAnchorMismatch } from '../../projections/start.ts'
import type { Batch } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { prepareWorld } from './prepare-world.ts'
import { appendTexts, bodies, counts, heardLive, runToEnd, runWorld, saidEvent, texts } from './run-world.ts'

const ALL = new Set(ALL_PARTITIONS)
const NEVER = new AbortController().signal

/** A view that replays nothing for the events that trigger a replay. */
const replaying = (name: string, ...triggers: readonly string[]): Projection => {
  const replays = { triggers: new Set(triggers), range: () => null, needsStreamFor: new Set<string>() }
  return { ...texts, name, replays: replays as unknown as Replays }
}

/** A world whose commits are recorded: the views of each, with the number of their writes and checkpoints. */
async function world(projections: readonly Projection[], more: Partial<CatchUpDeps> = {}) {
  const views = createMemoryViews()
  const commits: (readonly [view: string, writes: number, checkpoints: number])[][] = []
  const prepared: string[] = []
  const commit = async (batches: readonly Batch[]) => {
    commits.push(batches.map(({ view, writes, checkpoints }) => [view, writes.length, checkpoints.size]))
    await views.commit(batches)
  }
  const prepare: typeof views.prepare = async (spec) => {
    prepared.push(spec.key)
    await views.prepare(spec)
  }
  const base = runWorld(projections, { views: { ...views, commit, prepare } })
  await prepareWorld(base)
  prepared.length = 0
  const readsFrom: (string | null)[] = []
  const applied: (readonly [number, string])[] = []
  const deps: CatchUpDeps = {
    ...base.deps,
    readsFrom: (from) => void readsFrom.push(from),
    applied: (events, { position }) => void applied.push([events, position]),
    ...more,
  }
  const appliers = projections.map((projection) => createApplier(projection, deps))
  const run = (owned: ReadonlySet<number> = ALL, signal = NEVER) => catchUp(deps, appliers, owned, signal)
  return { deps, appliers, run, commits, prepared, readsFrom, applied, read: base.reports.read }
}

describe('the batches of events', () => {
  const event = (type: string) => ({ type }) as StoredEvent
  const batches = (types: string, ...projections: readonly Projection[]) => {
    const { appliers } = runWorld(projections)
    return batchesOf([...types].map(event), appliers).map(
      ({ events, replays }) => `${events.map(({ type }) => type).join('')}${replays ? '!' : ''}`,
    )
  }

  it('are one without an event that triggers a replay', () => {
    expect(batches('abc', texts)).to.deep.equal(['abc'])
    expect(batches('abc', replaying('one', 'd'))).to.deep.equal(['abc'])
    expect(batches('abc')).to.deep.equal(['abc'])
  })

  it('begin anywhere else with an event that triggers a replay in some view', () => {
    const views = [texts, replaying('one', 'b'), replaying('two', 'd')]
    expect(batches('abcd', ...views)).to.deep.equal(['a', 'bc!', 'd!'])
    expect(batches('bca', ...views)).to.deep.equal(['bca!'])
    expect(batches('dbbaa', ...views)).to.deep.equal(['d!', 'b!', 'baa!'])
  })
})

describe('catching up with the log', () => {
  it('applies the log in one write, and reports where it reads from, what it read and what it wrote', async () => {
    const { deps, run, commits, prepared, readsFrom, applied, read } = await world([texts])
    await appendTexts(deps.log, 's-1', 'g1', 'one', 'two')
    const last = await appendTexts(deps.log, 's-2', 'g2', 'three')
    const { checkpoints, rankings } = await run()
    expect(commits).to.deep.equal([[['texts@1', 2, ALL.size]]])
    expect([readsFrom, applied, read]).to.deep.equal([[null, last], [[3, last]], [3]])
    expect(prepared, 'for indexes that a store creates when the view is filled').to.deep.equal(['texts@1'])
    expect(rankings).to.deep.equal([])
    const [own] = checkpoints.of.values()
    expect([...(own ?? [])].every(([, { position }]) => position === last)).to.equal(true)
    expect(ALL_PARTITIONS.map((_, n) => deps.progress.current(`game${n}`)).every((at) => at === last)).to.equal(true)
    expect(await bodies(deps.views, 'texts@1', 'texts')).to.deep.equal({
      's-1': { said: ['one', 'two'] },
      's-2': { said: ['three'] },
    })
  })

  it('writes and prepares nothing if the views have reached the head of the log', async () => {
    const first = await world([texts])
    const last = await appendTexts(first.deps.log, 's-1', 'g1', 'one')
    await first.run()
    for (const list of [first.commits, first.prepared, first.readsFrom, first.applied, first.read]) list.length = 0
    await first.run()
    const { commits, prepared, readsFrom, applied, read } = first
    expect({ commits, prepared, readsFrom, applied, read }).to.deep.equal({
      commits: [],
      prepared: [],
      readsFrom: [last, last],
      applied: [],
      read: [],
    })
  })

  it('returns at once on an empty log', async () => {
    const { deps, run, commits, prepared, readsFrom } = await world([texts])
    await run()
    expect([commits, prepared, readsFrom]).to.deep.equal([[], ['texts@1'], [null, null]])
    expect(deps.progress.current('g1')).to.equal(null)
  })

  it('makes positions known that were reached before, in partitions that it owns', async () => {
    const { deps, run } = await world([texts])
    const last = await appendTexts(deps.log, 's-1', 'g1', 'one')
    const checkpoint = { position: last, eventId: 'e' }
    const checkpoints = new Map(ALL_PARTITIONS.map((partition) => [partition, checkpoint] as const))
    await deps.views.commit([{ view: 'texts@1', writes: [], checkpoints }])
    await run(new Set([partitionOf('g1')]))
    expect(deps.progress.current('g1')).to.equal(last)
    const other = Array.from({ length: 50 }, (_, n) => `g${n}`).find((one) => partitionOf(one) !== partitionOf('g1'))
    expect(deps.progress.current(other ?? '')).to.equal(null)
  })

  it('writes when enough documents have changed, and at the end of the log', async () => {
    const pace = { events: 1, changes: 2 }
    const { deps, run, applied, read } = await world([texts], { pace })
    const positions: string[] = []
    for (const stream of ['s-1', 's-2', 's-2', 's-3', 's-3'])
      positions.push(await appendTexts(deps.log, stream, 'g1', 'one'))
    await run()
    expect([applied, read]).to.deep.equal([
      [
        [2, positions[1]],
        [2, positions[3]],
        [1, positions[4]],
      ],
      [1, 2, 3, 4, 5],
    ])
  })

  it('counts the changed documents of all views', async () => {
    const { deps, run, applied } = await world([texts, { ...texts, name: 'more' }], { pace: { events: 1, changes: 2 } })
    const first = await appendTexts(deps.log, 's-1', 'g1', 'one')
    const second = await appendTexts(deps.log, 's-2', 'g1', 'one')
    await run()
    expect(applied).to.deep.equal([
      [1, first],
      [1, second],
    ])
  })

  it('writes when the rankings take no more sort keys at once', async () => {
    const { deps } = await world([counts])
    const {
      run,
      applied,
      deps: own,
    } = await world([counts], { rankings: { ...deps.rankings, putMax: 1 }, pace: { events: 1, changes: 1_000 } })
    const first = await appendTexts(own.log, 's-1', 'g1', 'one')
    const second = await appendTexts(own.log, 's-2', 'g1', 'one')
    await run()
    expect(applied.map(([, position]) => position)).to.deep.equal([first, second])
  })

  it('writes everything before an event that triggers a replay, and views that replay first after it', async () => {
    const { deps, run, commits, applied } = await world([texts, replaying('built', 'Built')])
    const before = await appendTexts(deps.log, 's-1', 'g1', 'one')
    await deps.log.append('s-2', 'none', [saidEvent('two', 'g1', 'Built')])
    const last = await appendTexts(deps.log, 's-1', 'g1', 'two')
    await run()
    expect(commits).to.deep.equal([
      [
        ['texts@1', 1, ALL.size],
        ['built@1', 1, ALL.size],
      ],
      [['built@1', 1, ALL.size]],
      [['texts@1', 1, ALL.size]],
    ])
    expect(applied).to.deep.equal([
      [1, before],
      [2, last],
    ])
  })

  it('applies nothing after the signal aborts, also in the middle of the log', async () => {
    const stopping = new AbortController()
    const { deps, run, applied } = await world([texts], {
      pace: { events: 1, changes: 1 },
      catchingUp: () => stopping.abort(new Error('the node stops')),
    })
    const first = await appendTexts(deps.log, 's-1', 'g1', 'one')
    await appendTexts(deps.log, 's-1', 'g1', 'two')
    expect(await run(ALL, stopping.signal).catch((error: Error) => error.message)).to.equal('the node stops')
    expect(applied).to.deep.equal([[1, first]])
  })

  it('writes nothing of a batch during which the signal aborts', async () => {
    const stopping = new AbortController()
    const stop: Projection = { ...texts, handle: () => stopping.abort(new Error('the node stops')) }
    const { deps, run, commits } = await world([stop])
    await appendTexts(deps.log, 's-1', 'g1', 'one')
    expect(await run(ALL, stopping.signal).catch((error: Error) => error.message)).to.equal('the node stops')
    expect(commits).to.deep.equal([])
  })
})

describe('writing the reached positions', () => {
  it('moves the checkpoints of each view forward only, and wakes those who wait', async () => {
    const { deps, appliers, commits } = await world([texts, { ...texts, name: 'ahead' }])
    const [g1, position] = [partitionOf('g1'), '0000000000000005']
    const event = { id: 'e5', position, meta: { game: 'g1' } } as StoredEvent
    const [one, two] = appliers
    if (one === undefined || two === undefined) throw new Error('there are two appliers')
    const later = { position: '0000000000000007', eventId: 'e7' }
    const of = new Map([
      [one, new Map()],
      [two, new Map([[g1, later]])],
    ])
    const waiting = deps.progress.waitFor('g1', position, 10_000)
    await writeReached(deps, { owned: new Set([g1]), of }, everywhere(event, new Set([g1])), false)
    expect(await waiting).to.equal(true)
    expect(commits).to.deep.equal([[['texts@1', 0, 1]]])
    expect([of.get(one)?.get(g1), of.get(two)?.get(g1)]).to.deep.equal([{ position, eventId: 'e5' }, later])
  })
})

describe('the checkpoints of idle partitions', () => {
  it('are moved again after 10,000 events that came one batch after the other', async () => {
    const log = createMemoryLog()
    const world = runWorld([{ ...texts, takes: [] }], { log: heardLive(log) })
    await prepareWorld(world)
    const heads: (string | null)[] = []
    for (let n = 0; n < 11; n++) {
      const many = Array.from({ length: 1_000 }, () => saidEvent('x'))
      await log.append(`s-${n}`, 'none', many)
      heads.push(await log.head())
    }
    await runToEnd(world)
    const checkpoints = await world.deps.views.checkpoints('texts@1')
    const idle = [...checkpoints].filter(([partition]) => partition !== partitionOf('g1'))
    expect(new Set(idle.map(([, { position }]) => position))).to.deep.equal(new Set([heads.at(-1)]))
  })
})

describe('a log that does not match the views', () => {
  it('is named with the view, the position and what to do', () => {
    for (const [isEventThere, here] of [
      [true, 'this log has another one there'],
      [false, 'this log has none there'],
    ] as const) {
      const error = new LogAnchorMismatch('texts@1', '0000000000000005', isEventThere)
      expect([error.name, error.code]).to.deep.equal(['LogAnchorMismatch', 'log_anchor_mismatch'])
      expect(error.message)
        .to.match(/^log_anchor_mismatch: view texts@1 .* at position 0000000000000005, and /)
        .and.contain(here)
        .and.contain('If the log was restored or exchanged, drop the views')
        .and.contain('the next start rebuilds them from this log')
        .and.contain('If not, the log has lost events: restore a backup')
    }
  })
})
