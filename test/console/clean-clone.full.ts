// The console as `npm start` serves it in a clean clone: built by that command alone, with demo data.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Browser, chromium } from 'playwright-core'
import { chromiumHere } from '../browser/chromium.ts'
import { freePort } from '../free-port.ts'
import { pause } from '../until.ts'
import { type KeyOnDisk, serverKeyIn, signIn } from './console-world.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What `npm start` writes there belongs to the clone. */
const OWN_MODULES = new Set(['.bin', '.cache', '@scorebook'])
const run = promisify(execFile)

async function cleanClone(folder: string): Promise<void> {
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, folder])
  const modules = join(ROOT, 'node_modules')
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(modules)) {
    if (!OWN_MODULES.has(name)) await symlink(join(modules, name), join(folder, 'node_modules', name))
  }
}

describe('console: `npm start` in a clean clone', function () {
  this.timeout(180_000)
  let folder: string
  let server: ChildProcess
  let browser: Browser
  let url: string
  let env: NodeJS.ProcessEnv

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scorebook-clone-'))
    await cleanClone(join(folder, 'scorebook'))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    env = { PATH: process.env.PATH, HOME: folder, PORT: String(port), ADMIN_PORT: String(await freePort()) }
    server = spawn('npm', ['start'], { cwd: join(folder, 'scorebook'), env, detached: true, stdio: 'ignore' })
    const isReady = async () => (await fetch(`${url}/health/ready`).catch(() => null))?.ok === true
    while (server.exitCode === null && !(await isReady())) await pause(50)
    browser = await chromium.launch({ executablePath: chromiumHere() ?? 'chromium', args: ['--no-sandbox'] })
  })
  after(async () => {
    await browser?.close()
    if (server?.pid !== undefined && server.exitCode === null) {
      const exit = once(server, 'exit')
      process.kill(-server.pid, 'SIGTERM')
      await exit
    }
    await rm(folder, { recursive: true, force: true })
  })

  it('shows the operator their games, and a game its leaderboards, players and past', async () => {
    const cwd = join(folder, 'scorebook')
    const program = join(cwd, 'dist/cli/main.js')
    await run(process.execPath, [program, 'demo', '--players', '20', '--scores', '200'], { cwd, env })
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${url}/console/`)
    await page.locator('input[type=file]').setInputFiles(join(cwd, 'data/operator.json'))
    await page.getByRole('rowheader', { name: 'Scorebook demo' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    const keyFile = await serverKeyIn(join(cwd, 'data/keys'))
    await signIn(page, JSON.parse(await readFile(join(cwd, 'data/keys', keyFile), 'utf8')) as KeyOnDisk)
    await page.goto(`${url}/console/leaderboards`)
    await page.getByRole('link', { name: 'High score' }).click()
    const rows = page.getByRole('region', { name: 'Scores' }).locator('tbody tr:not(.space)')
    await rows.first().waitFor()
    const now = await rows.allTextContents()
    await page.getByRole('slider').fill('500')
    await page.locator('section.past-table[aria-busy="false"]').waitFor()
    await page.getByRole('button', { name: 'Back to now' }).click()
    await page.locator('section[aria-label="Scores"]:not(.past-table)[aria-busy="false"]').waitFor()
    expect(await rows.allTextContents()).to.deep.equal(now)
    expect(faults).to.deep.equal([])
  })
})
