// The console on a large leaderboard and beside many events: the built server on core 0, Chromium on core 1. Needs two
// cores, `taskset` and Chromium, and means something on a quiet machine alone.

import { fork } from 'node:child_process'
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { largeBoard } from '../../bench/support/large-board.ts'
import { signIn as signInPlayers } from '../../bench/support/test-game.ts'
import { startTarget } from '../abuse/target.ts'
import { chromiumHere } from '../browser/chromium.ts'
import type { Order } from '../fair-reads/caller-process.ts'
import { signIn } from './console-world.ts'
import { type Figure, failedFigure, figureLine } from './figure.ts'
import { type Cost, type MeasuredPage, type Memory, measured, untilTrue } from './measured-page.ts'

/** What is measured, in this order. */
export const PARTS = ['board', 'live', 'history'] as const
export type Part = (typeof PARTS)[number]

export interface ConsoleProof {
  readonly parts: readonly Part[]
  /** Entries of the leaderboard. */
  readonly entries: number
  /** How long submissions are recorded beside the live leaderboard, and events beside the history. */
  readonly liveMs: number
  readonly historyMs: number
  report(line: string): void
}

const CALLERS = fileURLToPath(new URL('../fair-reads/caller-process.ts', import.meta.url))
const LANES = 32
const LIVE_A_SECOND = 50
const EVENTS_A_SECOND = 1_000
/** Above every score of the large leaderboard: each submission changes its first rows. */
const RISING_FROM = 1_000_000_000
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
    const tokens = await signInPlayers(server.port, world, LANES)
    const place: Place = { page, url, port: server.port, board: world.board, tokens, options }
    const figures: Figure[] = []
    for (const part of PARTS.filter((one) => options.parts.includes(one))) {
      for (const measure of MEASURES[part]) {
        const found = await measure(place).catch((error: Error) => [failedFigure(`${part}: ${error.message}`)])
        for (const figure of found) options.report(figureLine(figure))
        figures.push(...found)
      }
    }
    return figures
  } finally {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Place {
  readonly page: MeasuredPage
  readonly url: string
  readonly port: number
  /** Id of the large leaderboard. */
  readonly board: string
  /** Of the players who submit. */
  readonly tokens: readonly string[]
  readonly options: ConsoleProof
}

const MEASURES: Readonly<Record<Part, readonly ((place: Place) => Promise<readonly Figure[]>)[]>> = {
  board: [firstContent, sliderStep, scrolling, ruleChange],
  live: [liveBoard],
  history: [following],
}

const boardAddress = ({ url, board }: Place): string => `${url}/console/leaderboards/${board}`

async function onCoreOne(folder: string): Promise<Browser> {
  const program = join(folder, 'chromium')
  await writeFile(program, `#!/bin/sh\nexec taskset -c 1 ${chromiumHere() ?? 'chromium'} "$@"\n`)
  await chmod(program, 0o755)
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
}

async function firstContent(place: Place): Promise<Figure[]> {
  const { page, ...of } = place.page
  const times: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    await page.goto('about:blank')
    await page.goto(boardAddress(place))
    times.push(await of.firstRowMs())
  }
  return [{ name: 'first row of the table, median of visits', value: median(times), unit: 'ms', max: 1_000 }]
}

async function sliderStep({ page: { page }, options: { report } }: Place): Promise<Figure[]> {
  const times: number[] = []
  // A return to now would give each position another instant. At most two instants have to be cached.
  let before: number | null = null
  for (const position of STEPS) {
    report(`instant ${position} of 1000, computed in ${((await stepTo(page, position)) / 1_000).toFixed(1)} s`)
    if (before !== null) times.push(await stepTo(page, before), await stepTo(page, position))
    before = position
  }
  await stepTo(page, 1_000)
  return [{ name: 'step of the slider to a cached instant, median', value: median(times), unit: 'ms', max: 300 }]
}

/** Milliseconds until the table shows the instant. */
async function stepTo(page: Page, position: number): Promise<number> {
  await page.getByRole('slider', { name: 'Moment' }).fill(String(position))
  const shown = 'document.querySelector(\'section[aria-label="Scores"][aria-busy="false"]\') !== null'
  const isPast = `document.querySelector('section.past-table') ${position < 1_000 ? '!==' : '==='} null`
  return untilTrue(page, `${shown} && ${isPast}`, FIRST_STEP_MAX_MS)
}

async function scrolling(place: Place): Promise<Figure[]> {
  const { page, costOf } = place.page
  await page.goto(boardAddress(place))
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
async function ruleChange({ page: { page }, options: { entries } }: Place): Promise<Figure[]> {
  if (entries < ENTRIES_OF_A_LONG_CHANGE) return []
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
  return [{ name: 'progress of a rule change, shown again after a reload', value, unit: 'ms', max: 3_000 }]
}

/** A leaderboard whose first rows change with each submission. */
async function liveBoard(place: Place): Promise<Figure[]> {
  const { page } = place.page
  const { liveMs } = place.options
  await page.goto(boardAddress(place))
  const first = page.locator('section[aria-label="Scores"] tbody tr:not(.space)').first()
  await first.locator('td.number').first().waitFor()
  const before = await first.textContent()
  let grown: Memory = { heapMib: 0, nodes: 0 }
  const longestMs = await place.page.longestTaskMs(async () => {
    grown = (await besides(place, { aSecond: LIVE_A_SECOND, forMs: liveMs, risingFrom: RISING_FROM })).grown
  })
  const after = await first.textContent()
  if (after === before) throw new Error(`The first row is still ${after}`)
  const what = `live leaderboard, ${LIVE_A_SECOND} submissions a second for ${liveMs / 1_000} s`
  return [
    { name: `${what}: longest task`, value: longestMs, unit: 'ms of processor time', max: 200 },
    { name: `${what}: heap grown`, value: grown.heapMib, unit: 'MiB', max: 4 },
    { name: `${what}: nodes grown`, value: grown.nodes, unit: 'nodes', max: 500 },
  ]
}

async function following(place: Place): Promise<Figure[]> {
  const { page } = place.page
  const { historyMs, report } = place.options
  await page.goto(`${place.url}/console/history`)
  await page.getByText('Following.').waitFor()
  const { cost, grown } = await besides(place, { aSecond: EVENTS_A_SECOND, forMs: historyMs })
  const shown = await page.locator('main .actions .soft', { hasText: 'events' }).textContent()
  report(`History at the end: ${shown}`)
  const what = `${EVENTS_A_SECOND} events a second on History`
  return [
    { name: `${what}: long tasks`, value: cost.longPercent, unit: '% of the time', max: 5 },
    { name: `${what}: longest gap between frames`, value: cost.gapMs, unit: 'ms', max: 200 },
    { name: `${what}: heap grown in ${historyMs / 1_000} s`, value: grown.heapMib, unit: 'MiB', max: 16 },
  ]
}

interface Load {
  readonly aSecond: number
  readonly forMs: number
  readonly risingFrom?: number
}

/** What the page costs beside submissions, and what it holds more at their end. */
async function besides(place: Place, { aSecond, forMs, risingFrom }: Load): Promise<{ cost: Cost; grown: Memory }> {
  const { costOf, memory } = place.page
  const writing = called({
    port: place.port,
    from: '127.0.0.2',
    lanes: LANES,
    tokens: place.tokens,
    paths: [],
    forMs: forMs + 2 * WARM_MS,
    everyMs: (LANES * 1_000) / aSecond,
    writes: { board: place.board, share: 1, ...(risingFrom === undefined ? {} : { risingFrom }) },
  })
  await pause(WARM_MS)
  const before = await memory()
  const cost = await costOf(() => pause(forMs))
  const after = await memory()
  await writing
  return { cost, grown: { heapMib: after.heapMib - before.heapMib, nodes: after.nodes - before.nodes } }
}

async function called(order: Order): Promise<void> {
  const child = fork(CALLERS, { execPath: 'taskset', execArgv: ['-c', '0', process.execPath, '--import', 'tsx'] })
  const answered = new Promise<void>((resolve) => child.once('message', () => resolve()))
  child.send(order)
  await answered
  child.kill('SIGKILL')
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
