// A service with demo data and the built console, and a Chromium that records what no page may do: errors, violations
// of the content security policy, and requests to other origins.

import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { createClock } from '../../clients/javascript/bearer.ts'
import { handshake } from '../../clients/javascript/handshake.ts'
import { signerOf } from '../../clients/javascript/signing.ts'
import { createTransport } from '../../clients/javascript/transport.ts'
import { chromiumHere } from '../browser/chromium.ts'
import { openProxiedService } from '../cli/proxied-service.ts'
import { command, newFolder, type Service } from '../cli/service.ts'
import { buildConsole } from '../crash/build.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Far longer than any page takes: a browser beside other tests on a slow machine needed more than 10 s. */
const SHOWN_TIMEOUT_MS = 30_000

export interface KeyOnDisk {
  readonly prefix: string
  readonly secret: string
}

export interface View {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** Reads are made to fail on this page: the errors that the browser reports of them are no faults. */
  readonly failsOnPurpose?: boolean
}

export interface ConsoleWorld {
  readonly service: Service
  /** The address of the service. */
  readonly url: string
  readonly game: string
  readonly operatorFile: string
  readonly gameKey: KeyOnDisk
  /** A bearer token of the game's key. */
  readonly token: string
  /** What a page did that none may do. */
  readonly faults: string[]
  open(view?: View): Promise<Page>
  /** Opens the console, signed in with a key, which the tab keeps. */
  signedIn(key: KeyOnDisk, view?: View): Promise<Page>
  /** Calls the API with the game's key. */
  get<Answer>(path: string): Promise<Answer>
  send<Answer>(method: 'POST' | 'PUT', path: string, body: unknown): Promise<Answer>
  close(): Promise<void>
}

const run = promisify(execFile)

/** `days`: over how many days the demo's scores are spread; 0: all are of now. */
export async function openConsole({ days = 0 } = {}): Promise<ConsoleWorld> {
  const program = chromiumHere()
  if (program === null) throw new Error('These tests need Chromium: apt-get install chromium')
  buildConsole()
  const demo = ['demo', '--players', '60', '--scores', '1200']
  const dataDir = await newFolder()
  // It starts a server of its own.
  if (days > 0) await command({ DATA_DIR: dataDir }, ...demo, '--days', String(days))
  const service = await openProxiedService({ DATA_DIR: dataDir })
  const url = service.env.PUBLIC_URL as string
  if (days === 0) await service.run(...demo)
  const keys = join(service.dataDir, 'keys')
  const keyFile = await serverKeyIn(keys)
  const gameKey = JSON.parse(await readFile(join(keys, keyFile), 'utf8')) as KeyOnDisk
  const token = await tokenOf(url, gameKey)
  const headers = { Authorization: `Bearer ${token}` }
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
  const faults: string[] = []
  const open = (view: View = {}) => openPage(browser, url, faults, view)
  return {
    service,
    url,
    game: keyFile.replace('.json', ''),
    operatorFile: join(service.dataDir, 'operator.json'),
    gameKey,
    token,
    faults,
    open,
    signedIn: async (key, view) => {
      const page = await open(view)
      await signIn(page, key)
      return page
    },
    get: async (path) => (await fetch(url + path, { headers })).json() as never,
    send: async (method, path, body) => {
      const typed = { ...headers, 'Content-Type': 'application/json' }
      return (await fetch(url + path, { method, headers: typed, body: JSON.stringify(body) })).json() as never
    },
    close: async () => {
      await browser.close()
      await service.close()
    },
  }
}

/** The file of the server key among those of one game. */
export const serverKeyIn = async (keys: string): Promise<string> =>
  (await readdir(keys)).find((name) => !name.includes('-client-')) ?? ''

async function tokenOf(url: string, key: KeyOnDisk): Promise<string> {
  const transport = createTransport({ baseUrl: url })
  const clock = createClock(Date.now)
  return (await handshake({ transport, clock, key, permissions: [], sign: await signerOf(key) })).token
}

async function openPage(browser: Browser, url: string, faults: string[], view: View): Promise<Page> {
  const { width = 1440, height = 900, scheme = 'light', failsOnPurpose = false } = view
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(SHOWN_TIMEOUT_MS)
  page.on('console', (message) => {
    const isExpected = failsOnPurpose && message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isExpected) faults.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`))
  page.on('request', (request) => {
    const target = new URL(request.url())
    if (target.host !== new URL(url).host && target.protocol !== 'blob:') faults.push(`request: ${request.url()}`)
  })
  await page.goto(`${url}/console/`)
  return page
}

export async function signIn(page: Page, { prefix, secret }: KeyOnDisk): Promise<void> {
  await page.getByLabel('Key prefix').fill(prefix)
  await page.getByLabel('Secret').fill(secret)
  await page.getByLabel('Keep for this tab').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

/** Follows a link of the navigation. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** Runs a command in bash. Its output. */
export async function bash(command: string): Promise<string> {
  const { stdout } = await run('bash', ['-c', command])
  return stdout
}

/** Rank, player and score of rows of a leaderboard, as they are shown. */
export const readRows = (rows: Locator): Promise<string[][]> =>
  rows.evaluateAll((all) =>
    all.map((row) =>
      [0, 1, 2].map((at) => (row as unknown as { cells: { textContent: string }[] }).cells[at]?.textContent ?? ''),
    ),
  )

/** Chooses an action in the menu of a row. */
export async function chooseInRow(row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: 'More', exact: true }).click()
  await row.getByRole('menuitem', { name, exact: true }).click()
}

export const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')

const axe = await readFile(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')

/** What axe finds, by all of its rules or by one, and whether the page scrolls sideways. */
export async function auditOf(page: Page, rule: string | null = null): Promise<string[]> {
  await page.evaluate(axe)
  const run = rule === null ? 'axe.run()' : `axe.run({ runOnly: [${JSON.stringify(rule)}] })`
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(run)
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`),
    ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : []),
  ]
}
