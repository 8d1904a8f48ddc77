// The steps of a view build: what each writes to the build state, and when the driver takes the next one.

import { expect } from 'chai'
import { ALL_PARTITIONS } from '../../domain/partition.ts'
import { createBuildDriver, type DriveDeps } from '../../projections/builds/drive.ts'
import { createBuildPointer } from '../../projections/builds/pointer.ts'
import {
  activeKey,
  type Builds,
  buildKey,
  cancel,
  discardPrevious,
  fail,
  NO_BUILDS,
  projectionsInStep,
  requestBuild,
  restorePrevious,
  startComparing,
  switchTo,
} from '../../projections/builds/state.ts'
import { PARKED, viewKey, viewSpec } from '../../projections/projection.ts'
import type { Checkpoint, Write } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { appendTexts, counts, texts } from './run-world.ts'

const [EARLIER, LATER] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
const COMPARED = { documents: 3, found: 0, differences: [] }
const BOTH = ['texts@1', 'counts@1']

const applySteps = (...steps: ((builds: Builds) => Builds)[]): Builds =>
  steps.reduce((builds, step) => step(builds), NO_BUILDS)

describe('the state after each step of a view build', () => {
  const switched = applySteps(
    requestBuild(['texts@1'], EARLIER),
    startComparing(1),
    switchTo(1, COMPARED, EARLIER, LATER),
  )

  it('has the requested build with its views and time, and no previous builds', () => {
    const change = { number: 1, views: BOTH, phase: 'building', asked: EARLIER }
    expect(requestBuild(BOTH, EARLIER)(NO_BUILDS)).to.deep.equal({ ...NO_BUILDS, last: 1, change })
    const again = requestBuild(BOTH, LATER)(switched)
    expect([again.last, again.kept, again.shown]).to.deep.equal([2, null, { 'texts@1': 1 }])
    expect([again.change?.number, again.ended]).to.deep.equal([2, switched.ended])
  })

  it('has the phase of comparison once, for this build only', () => {
    const requested = applySteps(requestBuild(BOTH, EARLIER))
    const comparing = startComparing(1)(requested)
    expect(comparing).to.deep.equal({
      ...requested,
      change: { number: 1, views: BOTH, phase: 'comparing', asked: EARLIER },
    })
    expect(startComparing(1)(comparing)).to.equal(comparing)
    expect([startComparing(1)(NO_BUILDS), switchTo(1, COMPARED, EARLIER, LATER)(NO_BUILDS)]).to.deep.equal([
      NO_BUILDS,
      NO_BUILDS,
    ])
    expect(switchTo(2, COMPARED, EARLIER, LATER)(comparing)).to.equal(comparing)
  })

  it('has the new builds as active, the previous ones until a time, and the outcome', () => {
    expect(switched).to.deep.equal({
      last: 1,
      shown: { 'texts@1': 1 },
      kept: { builds: { 'texts@1': 0 }, until: LATER },
      change: null,
      ended: {
        number: 1,
        views: ['texts@1'],
        outcome: 'switched',
        finished: EARLIER,
        reason: null,
        compared: COMPARED,
      },
    })
  })

  it('keeps other views and the build before when a later build becomes active', () => {
    const steps = [requestBuild(BOTH, EARLIER), startComparing(2), switchTo(2, COMPARED, LATER, LATER)]
    const { shown, kept } = steps.reduce((builds, step) => step(builds), switched)
    expect(shown).to.deep.equal({ 'texts@1': 2, 'counts@1': 2 })
    expect(kept).to.deep.equal({ builds: { 'texts@1': 1, 'counts@1': 0 }, until: LATER })
    const one = [requestBuild(['counts@1'], EARLIER), startComparing(2), switchTo(2, COMPARED, LATER, LATER)]
    expect(one.reduce((builds, step) => step(builds), switched).shown).to.deep.equal({ 'texts@1': 1, 'counts@1': 2 })
  })

  it('has the reason and the comparison of a failed build, and the active builds as before', () => {
    const comparing = applySteps(requestBuild(['texts@1'], EARLIER), startComparing(1))
    expect(fail(1, 'two streams', COMPARED, LATER)(comparing)).to.deep.equal({
      ...NO_BUILDS,
      last: 1,
      ended: {
        number: 1,
        views: ['texts@1'],
        outcome: 'failed',
        finished: LATER,
        reason: 'two streams',
        compared: COMPARED,
      },
    })
    expect(fail(2, 'two streams', COMPARED, LATER)(comparing)).to.equal(comparing)
    expect(fail(1, 'two streams', COMPARED, LATER)(switched)).to.equal(switched)
  })

  it('has a cancelled build without reason and comparison', () => {
    const ended = { number: 1, views: BOTH, outcome: 'cancelled', finished: LATER, reason: null, compared: null }
    expect(applySteps(requestBuild(BOTH, EARLIER), cancel(LATER))).to.deep.equal({ ...NO_BUILDS, last: 1, ended })
  })

  it('has the restored builds as active, and the replaced ones until the same time', () => {
    const restored = restorePrevious(LATER)(switched)
    const ended = {
      number: 0,
      views: ['texts@1'],
      outcome: 'taken_back',
      finished: LATER,
      reason: null,
      compared: null,
    }
    expect(restored).to.deep.equal({
      last: 1,
      shown: { 'texts@1': 0 },
      kept: { builds: { 'texts@1': 1 }, until: LATER },
      change: null,
      ended,
    })
    expect(restorePrevious(LATER)(restored).ended?.number).to.equal(1)
  })

  it('is unchanged when there is nothing to discard', () => {
    expect(discardPrevious(NO_BUILDS)).to.equal(NO_BUILDS)
    expect(discardPrevious(switched)).to.deep.equal({ ...switched, kept: null })
  })

  it('refuses a second build and a missing previous one with a reason for the caller', () => {
    const requested = applySteps(requestBuild(BOTH, EARLIER))
    expect(() => requestBuild(BOTH, LATER)(requested)).to.throw('wait until it ends, or cancel it')
    expect(() => restorePrevious(LATER)(NO_BUILDS)).to.throw('There is no previous build to restore')
  })

  it('names each build: the first by its view alone, a later one with its number', () => {
    expect([buildKey('texts@1', 0), buildKey('texts@1', 2)]).to.deep.equal(['texts@1', 'texts@1+2'])
    expect([activeKey(switched, 'texts@1'), activeKey(switched, 'counts@1')]).to.deep.equal(['texts@1+1', 'counts@1'])
  })

  it('applies builds of one view in the order of their numbers, and compares only views that are rebuilt', () => {
    const steps = Array.from({ length: 10 }, (_, n) => [
      requestBuild(['texts@1'], EARLIER),
      startComparing(n + 1),
      switchTo(n + 1, COMPARED, EARLIER, LATER),
    ]).flat()
    const inStep = (...more: ((builds: Builds) => Builds)[]) =>
      projectionsInStep(applySteps(...steps, ...more), [texts, counts]).map(viewKey)
    expect(inStep()).to.deep.equal(['texts@1+9', 'texts@1+10', 'counts@1'])
    expect(inStep(restorePrevious(LATER))).to.deep.equal(['texts@1+9', 'texts@1+10', 'counts@1'])
    const other = [requestBuild(['counts@1'], LATER), startComparing(11)]
    expect(inStep(...other)).to.deep.equal(['texts@1+10', 'counts@1', 'counts@1+11'])
  })
})

/** A log with two texts, the views built up to its end, and a build of some views that was requested. */
async function world(of: readonly string[] = ['texts@1'], more: Partial<DriveDeps> = {}) {
  const [log, views, rankings] = [createMemoryLog(), createMemoryViews(), createRankings()]
  await appendTexts(log, 'a', 'g1', 'one')
  const last = await appendTexts(log, 'a', 'g1', 'two')
  const everywhere = (position: string) =>
    new Map(ALL_PARTITIONS.map((partition): [number, Checkpoint] => [partition, { position, eventId: position }]))
  const put = (view: string, writes: readonly Write[] = [], position = last) =>
    views.commit([{ view, writes, checkpoints: everywhere(position) }])
  const build = async (build: number, projection = texts, position = last) => {
    await views.prepare(viewSpec({ ...projection, build }))
    await put(viewKey({ ...projection, build }), [], position)
  }
  const fillRankings = async (view: string) => {
    for (const partition of ALL_PARTITIONS)
      await (await rankings.of(view, partition).beginFill('here')).finish(null, (async function* () {})())
  }
  const clock = { ms: 0, now: Date.parse(EARLIER) }
  const pointer = createBuildPointer(views)
  const deps: DriveDeps = {
    views,
    rankings,
    log,
    pointer,
    projections: [texts, counts],
    isInStep: () => true,
    settleMs: 100,
    keptMs: 60_000,
    elapsedMs: () => clock.ms,
    now: () => clock.now,
    ...more,
  }
  const drive = createBuildDriver(deps)
  for (const projection of [texts, counts]) await build(0, projection)
  if (of.length > 0) await pointer.change(requestBuild(of, EARLIER))
  /** Runs some steps; returns the phase after them. */
  const steps = async (count: number, signal = new AbortController().signal) => {
    for (let step = 0; step < count; step++) await drive(signal)
    return (await pointer.read()).change?.phase ?? null
  }
  return { log, last, put, build, fillRankings, clock, pointer, deps, steps }
}

describe('the driver of a view build', () => {
  it('begins the comparison once the build has reached the head of the log that the first step read', async () => {
    const { build, put, log, steps } = await world()
    expect(await steps(2), 'the build does not exist').to.equal('building')
    await build(1, texts, '0000000000000000')
    expect(await steps(1), 'the build is behind').to.equal('building')
    await put('texts@1+1')
    await appendTexts(log, 'a', 'g1', 'later')
    expect(await steps(1)).to.equal('comparing')
  })

  it('only reads the head of the log in the first step of a phase', async () => {
    const { build, steps, clock } = await world()
    await build(1)
    expect(await steps(1)).to.equal('building')
    expect(await steps(1)).to.equal('comparing')
    expect(await steps(1)).to.equal('comparing')
    clock.ms = 100
    expect(await steps(1), 'this step reads the head again').to.equal('comparing')
    expect(await steps(1)).to.equal(null)
  })

  it('waits until the rankings of the build are filled in every partition', async () => {
    const { build, fillRankings, steps } = await world(['texts@1', 'counts@1'])
    await build(1)
    await build(1, counts)
    expect(await steps(3)).to.equal('building')
    await fillRankings('counts@1')
    expect(await steps(1), 'the rankings of the active build do not count').to.equal('building')
    await fillRankings('counts@1+1')
    expect(await steps(1)).to.equal('comparing')
  })

  it('does not wait for rankings of views that are not rebuilt', async () => {
    const { build, steps } = await world(['texts@1'])
    await build(1)
    expect(await steps(2)).to.equal('comparing')
  })

  it('rejects if the store of the rankings fails', async () => {
    const rankings = createRankings()
    const away = () => ({ ...rankings.of('x', 0), size: () => Promise.reject(new Error('the store is unavailable')) })
    const { build, steps } = await world(['counts@1'], { rankings: { ...rankings, of: away } })
    await build(1, counts)
    expect(await steps(2).catch((error: Error) => error.message)).to.equal('the store is unavailable')
  })

  it('compares after every node may have seen the phase, if this node applies the build in step', async () => {
    const inStep: string[] = []
    const asked: string[] = []
    const isInStep = (key: string) => {
      asked.push(key)
      return inStep.includes(key)
    }
    const { build, steps, clock } = await world(['texts@1'], { isInStep })
    await build(1)
    clock.ms = 1_000
    expect(await steps(3)).to.equal('comparing')
    clock.ms = 1_099
    inStep.push('texts@1+1')
    expect(await steps(3), 'before the time is over').to.equal('comparing')
    clock.ms = 1_100
    inStep.pop()
    expect(await steps(3), 'while the node does not apply it').to.equal('comparing')
    inStep.push('texts@1+1')
    expect(await steps(2)).to.equal(null)
    expect(new Set(asked)).to.deep.equal(new Set(['texts@1+1']))
  })

  it('waits until the active build has reached the head of the log too', async () => {
    const { build, put, steps, log, clock, last } = await world()
    await build(1)
    await steps(3)
    clock.ms = 100
    const head = await appendTexts(log, 'a', 'g1', 'three')
    await put('texts@1+1', [], head)
    expect(await steps(3), `the active build is at ${last}`).to.equal('comparing')
    await put('texts@1', [], head)
    expect(await steps(1)).to.equal(null)
  })

  it('switches to the build and keeps the previous one for the configured time', async () => {
    const { build, put, steps, clock, pointer, last } = await world()
    await build(1)
    const document = { collection: 'texts', id: 'a', pos: last, body: { said: ['one', 'two'] } }
    for (const view of ['texts@1', 'texts@1+1']) await put(view, [document])
    await steps(3)
    clock.ms = 100
    clock.now = Date.parse(LATER)
    await steps(2)
    expect(await pointer.read()).to.deep.equal({
      last: 1,
      shown: { 'texts@1': 1 },
      kept: { builds: { 'texts@1': 0 }, until: '2026-01-02T00:01:00.000Z' },
      change: null,
      ended: {
        number: 1,
        views: ['texts@1'],
        outcome: 'switched',
        finished: LATER,
        reason: null,
        compared: { documents: 1, found: 0, differences: [] },
      },
    })
  })

  it('fails a build that cannot apply an event that the active build applied', async () => {
    const { build, put, steps, clock, pointer, last } = await world()
    await build(1)
    await put('texts@1+1', [{ collection: PARKED, id: 'a', pos: last, body: { position: last } }])
    await steps(3)
    clock.ms = 100
    await steps(2)
    const { shown, kept, change, ended } = await pointer.read()
    expect([shown, kept, change]).to.deep.equal([{}, null, null])
    expect([ended?.outcome, ended?.finished, ended?.compared?.found]).to.deep.equal(['failed', EARLIER, 1])
    expect(ended?.reason).to.equal(
      '1 streams have an event that the new build cannot apply, although the active build applied it',
    )
  })

  it('discards the previous build when its time is over', async () => {
    const { pointer, steps, clock } = await world([])
    const start = [requestBuild(['texts@1'], EARLIER), startComparing(1), switchTo(1, COMPARED, EARLIER, LATER)]
    for (const step of start) await pointer.change(step)
    clock.now = Date.parse(LATER) - 1
    await steps(1)
    expect((await pointer.read()).kept?.until).to.equal(LATER)
    clock.now = Date.parse(LATER)
    await steps(1)
    expect((await pointer.read()).kept).to.equal(null)
  })

  it('does nothing about a build of views that this program does not have', async () => {
    const { build, steps } = await world(['texts@1', 'texts@2'])
    await build(1)
    expect(await steps(4)).to.equal('building')
  })

  it('rejects the comparison when the signal aborts', async () => {
    const { build, steps, clock } = await world()
    await build(1)
    await steps(3)
    clock.ms = 100
    const stopped = steps(2, AbortSignal.abort(new Error('the node stops')))
    expect(await stopped.catch((error: Error) => error.message)).to.equal('the node stops')
  })

  it('begins each build with a new head of the log', async () => {
    const { build, steps, pointer, log, put } = await world()
    await build(1)
    await steps(1)
    await pointer.change(cancel(EARLIER))
    const head = await appendTexts(log, 'a', 'g1', 'three')
    await pointer.change(requestBuild(['texts@1'], EARLIER))
    await build(2)
    expect(await steps(3)).to.equal('building')
    await put('texts@1+2', [], head)
    expect(await steps(1)).to.equal('comparing')
  })
})
