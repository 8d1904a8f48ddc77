// A page that counts what it costs the browser.

import type { CDPSession, Page } from 'playwright-core'

const MIB = 1_048_576

/** Counts from the first script of each page on. The page keeps the counts in `window.measured`. */
const COUNTERS = `
  window.measured = { longMs: 0, gapMs: 0, beganMs: performance.now(), firstRowMs: null, inputMs: 0 }
  addEventListener('input', () => (measured.inputMs = performance.now()), true)
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.longMs += duration
  }).observe({ type: 'longtask' })
  let lastMs = performance.now()
  const frame = (nowMs) => {
    measured.gapMs = Math.max(measured.gapMs, nowMs - lastMs)
    lastMs = nowMs
    if (measured.firstRowMs === null && document.querySelector('tbody td.number')) measured.firstRowMs = performance.now()
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
`

export interface Cost {
  /** Share of the time that tasks of more than 50 ms took, in percent. */
  readonly longPercent: number
  /** The longest time between two frames, in milliseconds. */
  readonly gapMs: number
}

export interface Memory {
  /** Of JavaScript objects. */
  readonly heapMib: number
  /** Nodes of the document, and those that scripts still hold. */
  readonly nodes: number
}

export interface MeasuredPage {
  readonly page: Page
  /** What the page cost from now until `run` resolves. */
  costOf(run: () => Promise<unknown>): Promise<Cost>
  /** Milliseconds of processor time of the longest task until `run` resolves, without what other processes delay. */
  longestTaskMs(run: () => Promise<unknown>): Promise<number>
  /** Milliseconds from the beginning of the last visit until the first row of a table was on the page. */
  firstRowMs(): Promise<number>
  /** After a collection. */
  memory(): Promise<Memory>
}

/**
 * Looks at an expression in each frame. Resolves to the milliseconds since the last input when it is true; rejects
 * after `maxMs`.
 */
export function untilTrue(page: Page, expression: string, maxMs = 30_000): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const beganMs = performance.now()
    const look = () => {
      const nowMs = performance.now()
      if (${expression}) resolve(nowMs - measured.inputMs)
      else if (nowMs - beganMs > ${maxMs}) reject(new Error(${JSON.stringify(`never: ${expression}`)}))
      else requestAnimationFrame(look)
    }
    look()
  })`)
}

export async function measured(page: Page): Promise<MeasuredPage> {
  await page.addInitScript(COUNTERS)
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  return {
    page,
    async costOf(run) {
      await page.evaluate('Object.assign(measured, { longMs: 0, gapMs: 0, beganMs: performance.now() })')
      await run()
      return page.evaluate<Cost>(
        '({ longPercent: (100 * measured.longMs) / (performance.now() - measured.beganMs), gapMs: measured.gapMs })',
      )
    },
    async longestTaskMs(run) {
      const browser = page.context().browser()
      if (browser === null) throw new Error('The page has no browser')
      await browser.startTracing(page, { categories: ['toplevel'] })
      await run()
      return longestIn(JSON.parse((await browser.stopTracing()).toString()).traceEvents)
    },
    async firstRowMs() {
      await page.locator('tbody td.number').first().waitFor()
      await untilTrue(page, 'measured.firstRowMs !== null')
      return page.evaluate<number>('measured.firstRowMs')
    },
    async memory() {
      await devtools.send('HeapProfiler.collectGarbage')
      const { metrics } = await devtools.send('Performance.getMetrics')
      const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
      return { heapMib: metric('JSHeapUsedSize') / MIB, nodes: metric('Nodes') }
    },
  }
}

/** An event of a trace of Chromium; `tdur`: microseconds of processor time. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

function longestIn(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const pages = new Set(events.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf))
  const tasks = events.filter((one) => one.name === 'ThreadControllerImpl::RunTask' && pages.has(threadOf(one)))
  if (tasks.length === 0) throw new Error('The trace has no task of the page')
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0)
}
