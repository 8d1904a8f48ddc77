// The console on a large leaderboard and beside many events: the built server on core 0, Chromium on core 1. Needs two
// cores, `taskset` and Chromium, and means something on a quiet machine alone.

import { fork } from 'node:child_process'
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { largeBoard } from '../../bench/support/large-board.ts'
import { signIn as signInPlayers } from '../../bench/support/test-game.ts'
import { startTarget } from '../abuse/target.ts'
import { chromiumHere } from '../browser/chromium.ts'
import type { Order } from '../fair-reads/caller-process.ts'
import { signIn } from './console-world.ts'

export interface ConsoleProof {
  /** Entries of the leaderboard. */
  readonly entries: number
  readonly eventsPerSecond: number
  /** How long events are recorded. */
  readonly forMs: number
  report(line: string): void
}

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly max: number
}

const CALLERS = fileURLToPath(new URL('../fair-reads/caller-process.ts', import.meta.url))
const LANES = 32
const VISITS = 5
const STEPS = [100, 300, 500, 700, 900]
const SCROLLED_ROWS = 10_000
const ROWS_A_FRAME = 20
const ROW_PX = 40

/** A past leaderboard that is not cached is computed from its whole history. */
const FIRST_STEP_MAX_MS = 120_000

/** Instants of 1,000,000 entries need it. */
const HEAP_MIB = 4_096

const WARM_MS = 10_000

/** The rule change of a smaller leaderboard is over too soon to be seen. */
const ENTRIES_OF_A_LONG_CHANGE = 500_000

const MIB = 1_048_576

const SCROLL = `new Promise((resolve) => {
  const region = document.querySelector('section[aria-label="Scores"]')
  const frame = () => {
    region.scrollTop += ${ROWS_A_FRAME * ROW_PX}
    const end = Math.min(${SCROLLED_ROWS * ROW_PX}, region.scrollHeight) - region.clientHeight - ${ROW_PX}
    if (region.scrollTop >= end) resolve()
    else requestAnimationFrame(frame)
  }
  frame()
})`

export async function proveConsole(options: ConsoleProof): Promise<Figure[]> {
  const { dataDir, world } = await largeBoard(options.entries)
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-console-proof-'))
  const own = join(folder, 'data')
  await cp(dataDir, own, { recursive: true })
  const server = await startTarget(own, { RATE_LIMITS: 'off' }, HEAP_MIB)
  const browser = await onCoreOne(folder)
  try {
    const page = await measured(await browser.newPage({ viewport: { width: 1440, height: 900 } }))
    const url = `http://127.0.0.1:${server.port}`
    await page.page.goto(`${url}/console/`)
    await signIn(page.page, world.key)
    const board = `${url}/console/leaderboards/${world.board}`
    const figures: Figure[] = []
    const add = async (name: string, measure: () => Promise<readonly Figure[]>) => {
      const found = await measure().catch((error: Error) => {
        options.report(`${name}: ${error.message}`)
        return [{ name, value: Number.POSITIVE_INFINITY, unit: '(failed)', max: 0 }]
      })
      for (const figure of found) options.report(figureLine(figure))
      figures.push(...found)
    }
    await add('first content', async () => [await firstContent(page, board)])
    await add('slider', async () => [await sliderStep(page, options)])
    await page.page.goto(board)
    await add('scrolling', () => scrolling(page))
    if (options.entries >= ENTRIES_OF_A_LONG_CHANGE) await add('rule change', async () => [await ruleChange(page.page)])
    const tokens = await signInPlayers(server.port, world, LANES)
    const order = { port: server.port, from: '127.0.0.2', lanes: LANES, tokens, paths: [] }
    const everyMs = (LANES * 1_000) / options.eventsPerSecond
    const forMs = options.forMs + 2 * WARM_MS
    const writing = called({ ...order, forMs, everyMs, writes: { board: world.board, share: 1 } })
    await add('history', () => following(page, url, options))
    await writing
    return figures
  } finally {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function onCoreOne(folder: string): Promise<Browser> {
  const program = join(folder, 'chromium')
  await writeFile(program, `#!/bin/sh\nexec taskset -c 1 ${chromiumHere() ?? 'chromium'} "$@"\n`)
  await chmod(program, 0o755)
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
}

async function firstContent({ page, ...of }: MeasuredPage, board: string): Promise<Figure> {
  const times: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    await page.goto('about:blank')
    await page.goto(board)
    times.push(await of.firstRowMs())
  }
  return { name: 'first row of the table, median of visits', value: median(times), unit: 'ms', max: 1_000 }
}

async function sliderStep({ page }: MeasuredPage, { report }: ConsoleProof): Promise<Figure> {
  const times: number[] = []
  // A return to now would give each position another instant. At most two instants have to be cached.
  let before: number | null = null
  for (const position of STEPS) {
    report(`instant ${position} of 1000, computed in ${((await stepTo(page, position)) / 1_000).toFixed(1)} s`)
    if (before !== null) times.push(await stepTo(page, before), await stepTo(page, position))
    before = position
  }
  await stepTo(page, 1_000)
  return { name: 'step of the slider to a cached instant, median', value: median(times), unit: 'ms', max: 300 }
}

/** Milliseconds until the table shows the instant. */
async function stepTo(page: Page, position: number): Promise<number> {
  await page.getByRole('slider', { name: 'Moment' }).fill(String(position))
  const shown = 'document.querySelector(\'section[aria-label="Scores"][aria-busy="false"]\') !== null'
  const isPast = `document.querySelector('section.past-table') ${position < 1_000 ? '!==' : '==='} null`
  return untilTrue(page, `${shown} && ${isPast}`, FIRST_STEP_MAX_MS)
}

async function scrolling({ page, costOf }: MeasuredPage): Promise<Figure[]> {
  const table = page.getByRole('region', { name: 'Scores' })
  await table.locator('td.number').first().waitFor()
  const cost = await costOf(async () => {
    await page.evaluate(SCROLL)
    await table.locator('td.number').first().waitFor()
  })
  const what = `scrolling over ${SCROLLED_ROWS} rows`
  return [
    { name: `${what}: long tasks`, value: cost.longPercent, unit: '% of the time', max: 5 },
    { name: `${what}: longest gap between frames`, value: cost.gapMs, unit: 'ms', max: 200 },
  ]
}

/** A rule change is still shown after a reload, and can be cancelled. */
async function ruleChange(page: Page): Promise<Figure> {
  await page.getByRole('button', { name: 'Edit rules' }).click()
  await page.getByLabel('Best score').selectOption('asc')
  await page.getByRole('button', { name: 'Preview rules' }).click()
  await page.getByRole('region', { name: 'Who moves' }).waitFor({ timeout: FIRST_STEP_MAX_MS })
  await page.getByRole('button', { name: 'Apply rules' }).click()
  const progress = page.getByRole('progressbar', { name: 'Rule change in progress' })
  await progress.waitFor()
  const began = performance.now()
  await page.reload()
  await progress.waitFor()
  const value = performance.now() - began
  await page.getByRole('button', { name: 'Cancel rule change' }).click()
  await page.getByText('The rule change was cancelled. The leaderboard is as it was.').waitFor()
  await page.locator('.board-facts').getByText('Highest first, one entry per player').waitFor()
  return { name: 'progress of a rule change, shown again after a reload', value, unit: 'ms', max: 3_000 }
}

async function following({ page, costOf, heapBytes }: MeasuredPage, url: string, options: ConsoleProof) {
  await page.goto(`${url}/console/history`)
  await page.getByText('Following.').waitFor()
  await pause(WARM_MS)
  const before = await heapBytes()
  const cost = await costOf(() => pause(options.forMs))
  const grownMib = ((await heapBytes()) - before) / MIB
  const shown = await page.locator('main .actions .soft', { hasText: 'events' }).textContent()
  options.report(`History at the end: ${shown}`)
  const what = `${options.eventsPerSecond} events a second on History`
  return [
    { name: `${what}: long tasks`, value: cost.longPercent, unit: '% of the time', max: 5 },
    { name: `${what}: longest gap between frames`, value: cost.gapMs, unit: 'ms', max: 200 },
    { name: `${what}: heap grown in ${options.forMs / 1_000} s`, value: grownMib, unit: 'MiB', max: 16 },
  ]
}

async function called(order: Order): Promise<void> {
  const child = fork(CALLERS, { execPath: 'taskset', execArgv: ['-c', '0', process.execPath, '--import', 'tsx'] })
  const answered = new Promise<void>((resolve) => child.once('message', () => resolve()))
  child.send(order)
  await answered
  child.kill('SIGKILL')
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

export const figureLine = ({ name, value, unit, max }: Figure): string =>
  `${name}: ${value.toFixed(1)} ${unit} (at most ${max})`

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

export interface MeasuredPage {
  readonly page: Page
  /** What the page cost from now until `run` resolves. */
  costOf(run: () => Promise<unknown>): Promise<Cost>
  /** Milliseconds from the beginning of the last visit until the first row of a table was on the page. */
  firstRowMs(): Promise<number>
  /** Bytes of JavaScript objects after a collection. */
  heapBytes(): Promise<number>
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
    async firstRowMs() {
      await page.locator('tbody td.number').first().waitFor()
      await untilTrue(page, 'measured.firstRowMs !== null')
      return page.evaluate<number>('measured.firstRowMs')
    },
    async heapBytes() {
      await devtools.send('HeapProfiler.collectGarbage')
      const { metrics } = await devtools.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
    },
  }
}
