// Follows the tutorial "A web game this afternoon" literally, in Chromium: two guests play, and see each other's times
// at once. Only addresses are replaced.

import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Browser, chromium } from 'playwright-core'
import { chromiumHere } from '../browser/chromium.ts'
import { openServed, type Served } from '../cli/served.ts'
import { builtProgram } from '../crash/build.ts'
import { example } from './pages.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript' }

/** A static server of a folder, as `npx vite my-game` is one. */
function serveFolder(folder: string): Promise<Server> {
  const server = createServer(async ({ url = '/' }, answer) => {
    const name = url === '/' ? 'index.html' : url.slice(1)
    const content = await readFile(join(folder, name)).catch(() => null)
    answer.setHeader('Content-Type', TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
    answer.writeHead(content === null ? 404 : 200).end(content)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

describe('the tutorial of a web game', function () {
  this.timeout(120_000)
  let served: Served
  let folder: string
  let pages: Server
  let browser: Browser

  before(async () => {
    served = await openServed()
    folder = await mkdtemp(join(tmpdir(), 'scorebook-web-game-'))
    await symlink(served.dataDir, join(folder, 'data'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    // As `npm start` has built it.
    await mkdir(join(folder, 'clients/javascript'), { recursive: true })
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const dist = join(folder, 'clients/javascript/dist')
    await run(process.execPath, [tsc, '-p', join(ROOT, 'clients/javascript'), '--outDir', dist], { cwd: ROOT })
    await mkdir(join(folder, 'bin'))
    const npx = `#!/bin/sh\n[ "$1" = scorebook ] || exit 9\nshift\nexec "${process.execPath}" "${builtProgram()}" "$@"\n`
    await writeFile(join(folder, 'bin', 'npx'), npx)
    await chmod(join(folder, 'bin', 'npx'), 0o755)
    pages = await serveFolder(join(folder, 'my-game'))
    const program = chromiumHere()
    if (program === null) throw new Error('This test needs Chromium: apt-get install chromium')
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  })
  after(async () => {
    await browser?.close()
    pages?.close()
    await served?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('ends with a live leaderboard that two guests play on', async () => {
    const page = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    const setup = example('web-setup')
      .replace('http://127.0.0.1:5173', page)
      .replace('http://127.0.0.1:8080', served.url)
    const env = {
      PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
      HOME: folder,
      PORT: new URL(served.url).port,
    }
    await run('bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', setup], { cwd: folder, env })
    await writeFile(join(folder, 'my-game/index.html'), example('web-page'))

    const first = await newGuest(page)
    await playTen(first)
    await first.locator('#top li:has-text("(you)")').waitFor()
    const second = await newGuest(page)
    await second.locator('#top li').waitFor()
    await playTen(second)
    // The first guest's page shows the second one without a reload.
    await first.locator('#top li:nth-child(2)').waitFor()
    const [mine, theirs] = await Promise.all([first, second].map((one) => one.locator('#top li').allTextContents()))
    const times = (rows: string[] | undefined) => rows?.map((row) => row.replace(/^.*: /, ''))
    expect(times(mine)).to.deep.equal(times(theirs))
    expect(mine?.filter((row) => row.includes('(you)'))).to.have.length(1)

    await first.reload()
    await first.locator('#top li:has-text("(you)")').waitFor()
    expect(await first.locator('#top li').count()).to.equal(2)
  })

  async function newGuest(url: string) {
    const page = await (await browser.newContext()).newPage()
    await page.goto(url)
    return page
  }

  /** Slower than the lowest time that counts, half a second. */
  async function playTen(page: Awaited<ReturnType<typeof newGuest>>): Promise<void> {
    for (let click = 0; click < 10; click++) await page.locator('#play').click({ delay: 70 })
    await page.locator('#said:has-text("number")').waitFor()
  }
})
