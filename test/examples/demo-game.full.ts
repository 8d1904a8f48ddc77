// The demo game in Chromium: a guest plays, loses the network, plays on, and sees the past of the leaderboard.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { connect } from '../../clients/javascript/connect.ts'
import type { ApiKey } from '../../clients/javascript/signing.ts'
import { chromiumHere } from '../browser/chromium.ts'
import { openServed, type Served } from '../cli/served.ts'
import { eventually } from '../until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HOUR_MS = 3_600_000
const PLAYERS = ['Mira', 'Tomás', 'Aiko', 'Lena', 'Kofi', 'Noor', 'Jonas', 'Priya', 'Elif', 'Sam', 'Ines']
/** With a folder, screenshots of both sizes and color schemes are written there. */
const SCREENSHOTS = process.env.SCREENSHOTS

interface PageConfig {
  readonly baseUrl: string
  readonly key: ApiKey
  readonly game: string
  readonly leaderboard: string
}

describe('the demo game', function () {
  this.timeout(120_000)
  let served: Served
  let game: ChildProcess
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let address: string
  let saved: readonly string[]
  /** The server's clock begins a day ago, so that the leaderboard has a past. */
  let behindMs = 24 * HOUR_MS

  before(async () => {
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'clients/javascript'], {
      cwd: ROOT,
    })
    served = await openServed({}, () => Date.now() - behindMs)
    const env = {
      PATH: process.env.PATH,
      SCOREBOOK_URL: served.url,
      GAME_PORT: '0',
      OPERATOR_KEY: join(served.dataDir, 'operator.json'),
    }
    game = spawn(process.execPath, ['examples/demo-game/serve.mjs'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (game.stdout === null) throw new Error('the output is not read')
    const printed: string[] = []
    for await (const line of createInterface(game.stdout)) {
      printed.push(line)
      if (line.startsWith('Meteor Tap is at ')) break
    }
    address = printed.pop()?.replace('Meteor Tap is at ', '') ?? ''
    saved = printed
    await playYesterday()
    const executablePath = chromiumHere()
    if (executablePath === null) throw new Error('there is no chromium here: apt-get install chromium')
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    page = await context.newPage()
  })
  after(async () => {
    await browser?.close()
    game?.kill()
    await served?.close()
  })

  async function config(): Promise<PageConfig> {
    return (await (await fetch(`${address}/config.json`)).json()) as PageConfig
  }

  /** Players of the past day, an hour or two apart. */
  async function playYesterday(): Promise<void> {
    const { baseUrl, key, game: id, leaderboard } = await config()
    const client = await connect({ baseUrl, key, now: () => Date.now() - behindMs })
    for (const [n, name] of PLAYERS.entries()) {
      const player = await client.asGuest(id, { name })
      await player.submit(leaderboard, { score: String(320 + ((n * 613) % 1_400)) })
      behindMs -= 2 * HOUR_MS
    }
    behindMs = 0
  }

  async function playRound(): Promise<void> {
    await page.click('#play')
    for (let taps = 0; taps < 9; taps++) await page.click('#meteor')
    await page.waitForSelector('#intro', { state: 'visible', timeout: 20_000 })
  }
  const rows = () => page.$$eval('#rows li', (found) => found.map((row) => row.textContent))
  /** Of the leaderboard, as the page writes them. */
  async function firstTen(): Promise<string[]> {
    const { baseUrl, key, leaderboard } = await config()
    const { scores } = await (await connect({ baseUrl, key })).scores(leaderboard, { limit: 10 })
    return scores.map(({ rank, player_name, score }) => `${rank}${player_name}${score}`)
  }
  const news = (text: RegExp) => page.locator('#news', { hasText: text }).waitFor()

  it('saves the keys that it makes where the command line finds them, and says where', async () => {
    const { game: id, key, leaderboard } = await config()
    const keys = join(served.dataDir, 'keys')
    expect(saved.map((line) => line.replace(/ key \S+ /, ' key '))).to.deep.equal([
      `The server key of the game ${id} is saved in ${join(keys, `${id}.json`)}`,
      `The client key of the game ${id} is saved in ${join(keys, `${id}-page.json`)}`,
    ])
    expect(JSON.parse(await readFile(join(keys, `${id}-page.json`), 'utf8'))).to.include(key)
    const boards = await served.json<{ leaderboards: { id: string }[] }>('board', 'list')
    expect(boards.leaderboards.map((board) => board.id)).to.deep.equal([leaderboard])
  })

  it('shows the leaderboard live, and the guest in it after a round', async () => {
    await page.goto(address)
    await page.waitForSelector('#rows li')
    expect(await rows()).to.have.length(10)
    await playRound()
    await news(/^Your best yet: number \d+\.$/)
    const { baseUrl, key, leaderboard } = await config()
    expect((await (await connect({ baseUrl, key })).scores(leaderboard)).count).to.equal(PLAYERS.length + 1)
  })

  it('keeps a score without a network, and sends it when the network is back', async () => {
    await context.setOffline(true)
    await playRound()
    await news(/^\d+ points are kept until you are online\.$/)
    await context.setOffline(false)
    await news(/^(Your best yet|Sent\.)/)
  })

  it('shows the past day of the leaderboard, and takes screenshots', async () => {
    const live = await firstTen()
    // The score of the last test comes over the socket, after its answer.
    await eventually(async () => isDeepStrictEqual(await rows(), live))
    await page.fill('#past', '40')
    await page.locator('#rows li:nth-child(10)').waitFor({ state: 'detached' })
    expect(await rows()).to.have.length.within(1, 9)
    await page.fill('#past', '96')
    expect(await rows()).to.deep.equal(live)
    if (SCREENSHOTS === undefined) return
    for (const [width, height] of [
      [360, 1130],
      [1440, 720],
    ] as const) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: join(SCREENSHOTS, `demo-game-${width}-${colorScheme}.png`) })
      }
    }
  })
})
