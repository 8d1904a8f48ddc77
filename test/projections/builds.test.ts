// The pointer to the builds of views: who changes it at once, and which builds it means.

import { expect } from 'chai'
import { createPointer } from '../../projections/builds/pointer.ts'
import {
  ask,
  type Builds,
  besideOf,
  cancel,
  inStepOf,
  intoStep,
  letGo,
  NO_BUILDS,
  shownOf,
  switchTo,
  takeBack,
} from '../../projections/builds/state.ts'
import { viewKey } from '../../projections/projection.ts'
import { createMemoryViews } from '../memory/views.ts'
import { counts, texts } from './run-world.ts'

const [EARLIER, LATER] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
const NOTHING = { documents: 0, found: 0, differences: [] }
const VIEWS = [texts, counts]

const brought = (...steps: ((builds: Builds) => Builds)[]): Builds =>
  steps.reduce((builds, step) => step(builds), NO_BUILDS)
const keys = (builds: Builds) =>
  [shownOf(builds, VIEWS), inStepOf(builds, VIEWS), besideOf(builds, VIEWS)].map((views) => views.map(viewKey))

describe('the builds of views', () => {
  it('are built beside, taken into step, and shown, with those before them kept', () => {
    expect(keys(NO_BUILDS)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'counts@1'], []])
    const asked = brought(ask(['texts@1'], EARLIER))
    expect(keys(asked)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'counts@1'], ['texts@1+1']])
    const inStep = intoStep(1)(asked)
    expect(keys(inStep)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'texts@1+1', 'counts@1'], []])
    const switched = switchTo(1, NOTHING, EARLIER, LATER)(inStep)
    expect(keys(switched)).to.deep.equal([['texts@1+1', 'counts@1'], ['texts@1', 'texts@1+1', 'counts@1'], []])
    const back = takeBack(LATER)(switched)
    expect(keys(back)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'texts@1+1', 'counts@1'], []])
    expect(keys(takeBack(LATER)(back))).to.deep.equal(keys(switched))
    expect(keys(letGo(switched))).to.deep.equal([['texts@1+1', 'counts@1'], ['texts@1+1', 'counts@1'], []])
  })

  it('have a number of their own each, also after one that was cancelled', () => {
    const cancelled = brought(ask(['texts@1'], EARLIER), cancel(LATER))
    expect([keys(cancelled), cancelled.ended?.outcome]).to.deep.equal([keys(NO_BUILDS), 'cancelled'])
    expect(keys(ask(['texts@1', 'counts@1'], LATER)(cancelled))[2]).to.deep.equal(['texts@1+2', 'counts@1+2'])
  })

  it('are asked for one at a time; a step of another one changes nothing', () => {
    const asked = brought(ask(['texts@1'], EARLIER))
    expect(() => ask(['counts@1'], LATER)(asked))
      .to.throw()
      .with.property('code', 'views_rebuilding')
    expect(() => takeBack(LATER)(asked))
      .to.throw()
      .with.property('code', 'views_rebuilding')
    expect(() => takeBack(LATER)(NO_BUILDS))
      .to.throw()
      .with.property('code', 'nothing_kept')
    expect(intoStep(2)(asked)).to.equal(asked)
    expect(switchTo(1, NOTHING, EARLIER, LATER)(asked)).to.equal(asked)
    expect(cancel(LATER)(NO_BUILDS)).to.equal(NO_BUILDS)
  })

  it('are changed by one of several that ask at once', async () => {
    const views = createMemoryViews()
    const pointers = Array.from({ length: 8 }, () => createPointer(views))
    const asked = await Promise.allSettled(pointers.map((pointer) => pointer.change(ask(['texts@1'], EARLIER))))
    expect(asked.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    const now = await createPointer(views).read()
    expect([now.last, now.change?.number]).to.deep.equal([1, 1])
  })
})
