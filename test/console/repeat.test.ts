// Repeated reads of the console: pauses between them, and none while the page is hidden.

import { mock } from 'node:test'
import { expect } from 'chai'
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
  /** The timer that is set. */
  let timer: { readonly run: () => void; readonly ms: number } | null

  /** A run takes 100 ms. */
  const run = async () => {
    runs += 1
  }
  /** The pause after the last run; null if there is none. */
  const pause = async () => {
    await Promise.resolve()
    await Promise.resolve()
    return timer?.ms ?? null
  }
  const endPause = () => {
    const ended = timer
    timer = null
    ended?.run()
  }

  beforeEach(() => {
    page = new Page()
    runs = 0
    timer = null
    Object.assign(globalThis, { document: page })
    mock.method(globalThis, 'setTimeout', (ended: () => void, ms: number) => {
      timer = { run: ended, ms }
    })
    mock.method(globalThis, 'clearTimeout', () => {
      timer = null
    })
    mock.method(performance, 'now', () => runs * 100)
  })
  afterEach(() => {
    mock.restoreAll()
    Reflect.deleteProperty(globalThis, 'document')
  })

  it('run at once, and again after each pause until they are ended', async () => {
    const end = repeat(run, { everyMs: 5_000, pauseFactor: 20 })
    for (const count of [1, 2, 3]) {
      expect(runs).to.equal(count)
      expect(await pause()).to.equal(5_000)
      if (count < 3) endPause()
    }
    end()
    expect(await pause()).to.equal(null)
  })

  it('run once without an interval', async () => {
    repeat(run, { everyMs: null, pauseFactor: 20 })
    expect(await pause()).to.equal(null)
    expect(runs).to.equal(1)
  })

  it('pause longer after a run that takes long', async () => {
    repeat(run, { everyMs: 1_000, pauseFactor: 20 })
    expect(await pause()).to.equal(2_000)
  })

  it('set no timer after a run that ends when they are ended', async () => {
    const end = repeat(run, { everyMs: 5_000, pauseFactor: 20 })
    end()
    expect(await pause()).to.equal(null)
  })

  it('wait while the page is hidden, and run when it is visible again', async () => {
    const end = repeat(run, { everyMs: 5_000, pauseFactor: 20 })
    page.set(true)
    expect(await pause()).to.equal(5_000)
    endPause()
    expect(runs).to.equal(1)
    page.set(false)
    expect(runs).to.equal(2)
    await pause()
    page.set(true)
    endPause()
    end()
    page.set(false)
    expect(runs).to.equal(2)
  })
})
