// Repeated reads of the console: pauses between them, and none while the page is hidden.

import { mock } from 'node:test'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { repeat } from '../../console/src/repeat.ts'

class Page extends EventTarget {
  hidden = false

  set(hidden: boolean): void {
    this.hidden = hidden
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

describe('console: repeated reads', () => {
  let page: Page
  let runs: number
  const run = async () => {
    runs += 1
  }
  /** Advances the clock, and lets what it starts end. */
  const pass = async (ms: number) => {
    await Promise.resolve()
    await Promise.resolve()
    mock.timers.tick(ms)
  }

  beforeEach(() => {
    page = new Page()
    runs = 0
    Object.assign(globalThis, { document: page })
    mock.timers.enable({ apis: ['setTimeout'] })
  })
  afterEach(() => {
    mock.timers.reset()
    Reflect.deleteProperty(globalThis, 'document')
  })

  it('run at once, and again after each pause until they are ended', async () => {
    const end = repeat(run, { everyMs: 5_000, share: 0 })
    expect(runs).to.equal(1)
    await pass(4_999)
    expect(runs).to.equal(1)
    await pass(1)
    expect(runs).to.equal(2)
    await pass(5_000)
    expect(runs).to.equal(3)
    end()
    await pass(5_000)
    expect(runs).to.equal(3)
  })

  it('run once without an interval', async () => {
    repeat(run, { everyMs: null, share: 0 })
    await pass(1_000_000)
    expect(runs).to.equal(1)
  })

  it('pause for a multiple of the time that a run takes', async () => {
    const now = mock.method(performance, 'now', () => runs * 100)
    const end = repeat(run, { everyMs: 1_000, share: 20 })
    await pass(1_999)
    expect(runs).to.equal(1)
    await pass(1)
    expect(runs).to.equal(2)
    end()
    now.mock.restore()
  })

  it('wait while the page is hidden, and run when it is visible again', async () => {
    const end = repeat(run, { everyMs: 1_000, share: 0 })
    page.set(true)
    await pass(10_000)
    expect(runs).to.equal(1)
    page.set(false)
    expect(runs).to.equal(2)
    page.set(true)
    await pass(1_000)
    end()
    page.set(false)
    expect(runs).to.equal(2)
  })
})
