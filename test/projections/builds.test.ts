// The active-build pointer: concurrent changes, and which builds it makes active.

import { expect } from 'chai'
import { createBuildPointer } from '../../projections/builds/pointer.ts'
import {
  activeProjections,
  type Builds,
  cancel,
  discardPrevious,
  NO_BUILDS,
  projectionsBeingBuilt,
  projectionsInStep,
  requestBuild,
  restorePrevious,
  startComparing,
  switchTo,
} from '../../projections/builds/state.ts'
import { viewKey } from '../../projections/projection.ts'
import { createMemoryViews } from '../memory/views.ts'
import { counts, texts } from './run-world.ts'

const [EARLIER, LATER] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
const NOTHING = { documents: 0, found: 0, differences: [] }
const VIEWS = [texts, counts]

const applySteps = (...steps: ((builds: Builds) => Builds)[]): Builds =>
  steps.reduce((builds, step) => step(builds), NO_BUILDS)
const keys = (builds: Builds) =>
  [activeProjections(builds, VIEWS), projectionsInStep(builds, VIEWS), projectionsBeingBuilt(builds, VIEWS)].map(
    (views) => views.map(viewKey),
  )

describe('the state of view builds', () => {
  it('goes from building to comparing to active, and keeps the previous builds', () => {
    expect(keys(NO_BUILDS)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'counts@1'], []])
    const requested = applySteps(requestBuild(['texts@1'], EARLIER))
    expect(keys(requested)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'counts@1'], ['texts@1+1']])
    const inStep = startComparing(1)(requested)
    expect(keys(inStep)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'texts@1+1', 'counts@1'], []])
    const switched = switchTo(1, NOTHING, EARLIER, LATER)(inStep)
    expect(keys(switched)).to.deep.equal([['texts@1+1', 'counts@1'], ['texts@1', 'texts@1+1', 'counts@1'], []])
    const back = restorePrevious(LATER)(switched)
    expect(keys(back)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'texts@1+1', 'counts@1'], []])
    expect(keys(restorePrevious(LATER)(back))).to.deep.equal(keys(switched))
    expect(keys(discardPrevious(switched))).to.deep.equal([['texts@1+1', 'counts@1'], ['texts@1+1', 'counts@1'], []])
  })

  it('gives each build its own number, even after a cancelled one', () => {
    const cancelled = applySteps(requestBuild(['texts@1'], EARLIER), cancel(LATER))
    expect([keys(cancelled), cancelled.ended?.outcome]).to.deep.equal([keys(NO_BUILDS), 'cancelled'])
    expect(keys(requestBuild(['texts@1', 'counts@1'], LATER)(cancelled))[2]).to.deep.equal(['texts@1+2', 'counts@1+2'])
  })

  it('allows one build at a time and ignores steps of other builds', () => {
    const requested = applySteps(requestBuild(['texts@1'], EARLIER))
    expect(() => requestBuild(['counts@1'], LATER)(requested))
      .to.throw()
      .with.property('code', 'views_rebuilding')
    expect(() => restorePrevious(LATER)(requested))
      .to.throw()
      .with.property('code', 'views_rebuilding')
    expect(() => restorePrevious(LATER)(NO_BUILDS))
      .to.throw()
      .with.property('code', 'nothing_kept')
    expect(startComparing(2)(requested)).to.equal(requested)
    expect(switchTo(1, NOTHING, EARLIER, LATER)(requested)).to.equal(requested)
    expect(cancel(LATER)(NO_BUILDS)).to.equal(NO_BUILDS)
  })

  it('is changed by exactly one of several concurrent requests', async () => {
    const views = createMemoryViews()
    const pointers = Array.from({ length: 8 }, () => createBuildPointer(views))
    const requested = await Promise.allSettled(
      pointers.map((pointer) => pointer.change(requestBuild(['texts@1'], EARLIER))),
    )
    expect(requested.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    const now = await createBuildPointer(views).read()
    expect([now.last, now.change?.number]).to.deep.equal([1, 1])
  })
})
