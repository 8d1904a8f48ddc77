// The same story by each client: its clock is ten minutes behind, a guest token that it has kept is void, answers are
// lost, and calls are refused with 429 and 503. Afterwards the server has one guest and one score of them, and the
// client has waited as long as it was asked to. The table at the end says which client has run which step.

import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Browser, chromium } from 'playwright-core'
import { textTable } from '../../cli/text-table.ts'
import { type Client, connect } from '../../clients/javascript/connect.ts'
import type { MadeKey } from '../../clients/javascript/shapes.ts'
import { chromiumHere } from '../browser/chromium.ts'
import { openService, type Service } from '../cli/service.ts'
import { type DocsFolder, docsFolder } from '../docs/folder.ts'
import { example } from '../docs/pages.ts'
import { builtVenv } from '../servers/venv.ts'
import { pageOf, serveFolder } from './javascript/client-page.ts'
import { installClient } from './javascript/installed.ts'
import { operatorKey } from './javascript/keys.ts'
import { type FaultyProxy, faultyProxy, RETRY_AFTER_S } from './story/faulty-proxy.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CLOCK_BEHIND_MS = 600_000
const STEPS = ['clock', 'handshake', 'void guest', 'submit', 'around', 'season', 'file', 'room'] as const
type Step = (typeof STEPS)[number]
const ENGINE: readonly Step[] = ['clock', 'handshake', 'void guest', 'submit', 'around', 'season']
const SEASON = '1 1 open 12.5'
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const run = promisify(execFile)

/** What a client says of its steps: of each that it has. */
interface Told {
  readonly rank: number
  readonly around?: readonly string[]
  /** The season joined and the rank in it, the states of all seasons, and the scores of the current one. */
  readonly season?: string
  readonly file?: string
  readonly room?: string
}

interface Fixture {
  readonly url: string
  readonly game: string
  readonly board: string
  readonly bucket: string
  readonly key: MadeKey
  readonly voidGuest: string
}

describe('the same story', function () {
  this.timeout(180_000)
  let service: Service
  let proxy: FaultyProxy
  let operator: Client
  let folder: string
  let docs: DocsFolder
  let browser: Browser
  const done = new Map<string, readonly Step[]>()

  before(async () => {
    proxy = await faultyProxy(() => service.url)
    const settings = { PUBLIC_URL: proxy.url, REALTIME_URL: proxy.url }
    service = await openService(settings, () => Date.now() + CLOCK_BEHIND_MS)
    operator = await connect({ baseUrl: service.url, key: await operatorKey(service.dataDir) })
    folder = await mkdtemp(join(tmpdir(), 'scorebook-story-'))
    await installClient(folder)
    await symlink(join(ROOT, 'node_modules/socket.io-client'), join(folder, 'node_modules/socket.io-client'))
    await copyFile(here('story/program.mjs'), join(folder, 'program.mjs'))
    docs = await docsFolder(service.url, service.dataDir)
    const executablePath = chromiumHere()
    if (executablePath === null) throw new Error('there is no chromium here: apt-get install chromium')
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  after(async () => {
    await browser?.close()
    await service?.close()
    await proxy?.close()
    await docs?.remove()
    await rm(folder, { recursive: true, force: true })
    const columns = [{ title: 'client' }, ...STEPS.map((step) => ({ title: step }))]
    const rows = [...done].map(([name, steps]) => [
      name,
      ...STEPS.map((step) => (steps.includes(step) ? 'passed' : '-')),
    ])
    console.log(textTable(columns, rows, Number.POSITIVE_INFINITY).join('\n'))
  })

  /** A game of its own, whose leaderboard counts each submission. */
  async function fixture(origin?: string): Promise<Fixture & { readonly server: Client }> {
    const { game, key: serverKey } = await operator.createGame('Quest')
    const server = await connect({ baseUrl: service.url, key: serverKey })
    await server.changeGame(game.id, {
      realtime: { enabled: true },
      fixed_rooms: [{ id: 'den', name: 'Den', max_members: 4, listed: true }],
      ...(origin === undefined ? {} : { cors_origins: [origin] }),
    })
    const seasons = { cron: '0 0 1 1 *', time_zone: 'UTC' }
    const board = await server.createLeaderboard(game.id, { name: 'Runs', ordering: 'desc', unique: false, seasons })
    const bucket = await server.createBucket(game.id, { name: 'Saves' })
    const { rules } = await server.folderRules(bucket.id, '/')
    await server.setFolderRules(bucket.id, { path: '/', rules: { ...rules, create: 'player' }, child_rules: null })
    const key = await server.issueKey(game.id, { name: 'game', kind: 'client', algorithm: 'hmac-sha256' })
    const gone = await server.asGuest(game.id, { name: 'Gone' })
    await server.deletePlayer(game.id, gone.player.id)
    const voidGuest = gone.guestToken ?? ''
    return { url: proxy.url, game: game.id, board: board.id, bucket: bucket.id, key, voidGuest, server }
  }

  function begin(headArrives = true): void {
    proxy.headArrives = headArrives
    proxy.passed.length = 0
    proxy.faults.clear()
    proxy.faults.set(/^POST \/api\/auth\/jwt\/challenge\/$/, [429])
    proxy.faults.set(/^POST \/api\/auth\/jwt\/redeem\/$/, ['none', 'lost'])
    proxy.faults.set(/^POST \/api\/gm\/\w+\/player\/guest\/$/, [503])
    proxy.faults.set(/^POST \/api\/lb\/[\w-]+\/score\/$/, ['lost', 503])
  }

  /** Checks what passed the proxy, and adds the client's row to the table. */
  function passed(client: string, steps: readonly Step[]): void {
    const statuses = (path: RegExp) => proxy.passed.filter(({ call }) => path.test(call)).map(({ status }) => status)
    expect([...proxy.faults.values()].flat(), 'faults that no call met').to.deep.equal([])
    expect(statuses(/challenge/)).to.deep.equal([429, 200, 200, 200])
    // The time is refused, the token is lost, and another challenge is redeemed.
    expect(statuses(/redeem\/$/)).to.deep.equal([401, 0, 200])
    const refused = steps.includes('void guest') ? [503, 401, 201] : [503, 201]
    expect(statuses(/player\/guest/)).to.deep.equal(refused)
    const submits = proxy.passed.filter(({ call }) => /^POST .*\/score\/$/.test(call))
    expect(submits.map(({ status }) => status)).to.deep.equal([0, 503, 201])
    expect(new Set(submits.map(({ key }) => key)).size).to.equal(1)
    expect(submits[0]?.key).to.be.a('string')
    for (const [at, { call, status, answered }] of proxy.passed.entries()) {
      if (status !== 429 && status !== 503) continue
      const path = call.replace(/challenge|redeem/, '')
      const next = proxy.passed.slice(at + 1).find((one) => one.call.replace(/challenge|redeem/, '') === path)
      // Timers may be early by a millisecond.
      expect((next?.arrived ?? 0) - answered, call).to.be.at.least(RETRY_AFTER_S * 1_000 - 1)
    }
    done.set(client, steps)
  }

  async function counted({ server, game, board }: Fixture & { readonly server: Client }): Promise<void> {
    const { scores } = await server.scores(board)
    expect(scores.map(({ score, player_name: name }) => [score, name])).to.deep.equal([['12.5', 'Ada']])
    expect((await server.players(game)).players.map(({ name }) => name)).to.deep.equal(['Ada'])
  }

  const WHOLE: Told = { rank: 1, around: ['12.5'], season: SEASON, file: 'level 3', room: 'e4' }

  it('is run by the JavaScript library in Node', async () => {
    const { server, ...given } = await fixture()
    await writeFile(
      join(folder, 'node.mjs'),
      `import { story } from './program.mjs'
const items = new Map()
const storage = { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value), removeItem: (name) => items.delete(name) }
console.log(JSON.stringify(await story(${JSON.stringify(given)}, storage)))
process.exit(0)
`,
    )
    begin()
    const { stdout } = await run(process.execPath, ['node.mjs'], { cwd: folder, timeout: 60_000 })
    expect(JSON.parse(stdout)).to.deep.equal(WHOLE)
    passed('JavaScript, Node', STEPS)
    await counted({ ...given, server })
  })

  it('is run by the JavaScript library in Chromium', async () => {
    const files = await serveFolder(folder)
    const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
    const { server, ...given } = await fixture(origin)
    await writeFile(
      join(folder, 'page.mjs'),
      `import { story } from './program.mjs'\nglobalThis.told = await story(${JSON.stringify(given)}, localStorage).catch(String)\n`,
    )
    await writeFile(join(folder, 'index.html'), await pageOf(folder))
    begin()
    const page = await browser.newPage()
    await page.goto(origin)
    await page.waitForFunction('globalThis.told')
    expect(await page.evaluate('globalThis.told')).to.deep.equal(WHOLE)
    await page.close()
    files.close()
    passed('JavaScript, Chromium', STEPS)
    await counted({ ...given, server })
  })

  it('is run by the Python client, but for rooms, which it does not have', async () => {
    const { server, ...given } = await fixture()
    const python = await builtVenv('scorebook-python-client', join(ROOT, 'clients/python/requirements-test.txt'))
    begin()
    const env = {
      ...process.env,
      PYTHONPATH: join(ROOT, 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      SCOREBOOK_TEST: JSON.stringify(given),
    }
    const { stdout } = await run(python, [here('story/story.py')], { env })
    expect(JSON.parse(stdout)).to.deep.equal({ rank: 1, around: ['12.5'], season: SEASON, file: 'level 3' })
    passed('Python', [...ENGINE, 'file'])
    await counted({ ...given, server })
  })

  it('is run by curl, as docs/start.md and docs/how-to/files.md have it', async () => {
    const around = `echo ---
curl -sS "$url/api/lb/high-scores/score/?around=$(field player.id <<<"$guest")" -H "Authorization: Bearer $token"
echo
echo $game`
    const whole = [example('shell'), 'echo ---', example('files'), around].join('\n')
    const code = whole.replace('url=http://127.0.0.1:8080', `url=${proxy.url}`)
    begin()
    const shell = ['--norc', '--noprofile', '-euo', 'pipefail', '-c', code]
    const { stdout } = await run('bash', shell, { cwd: docs.path, env: docs.env })
    const [score = '', files = '', last = ''] = stdout.split(/^---\n/m)
    expect(JSON.parse(score.split('\n')[0] ?? '')).to.include({ score: '1250.5', rank: 1 })
    expect(files).to.include('\nlevel 3\n')
    const [page = '', game = ''] = last.split('\n')
    expect(JSON.parse(page).scores.map((one: { score: string }) => one.score)).to.deep.equal(['1250.5'])
    // The page begins with a new guest.
    passed('curl, docs/start.md', ['clock', 'handshake', 'submit', 'around', 'file'])
    const entries = await service.json<{ entries: number }>('board', 'show', 'high-scores', '--game', game)
    expect(entries.entries).to.equal(1)
  })

  it('is run by the page of docs/tutorials/web-game.md', async () => {
    const files = await serveFolder(join(docs.path, 'my-game'))
    const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
    await mkdir(join(docs.path, 'clients/javascript'), { recursive: true })
    await symlink(join(folder, 'node_modules/@scorebook/client/dist'), join(docs.path, 'clients/javascript/dist'))
    await symlink(join(folder, 'node_modules'), join(docs.path, 'node_modules'))
    const setup = example('web-setup')
      .replace('http://127.0.0.1:5173', origin)
      .replace('http://127.0.0.1:8080', proxy.url)
      .replace('--ordering asc', '--ordering asc --no-unique')
    await run('bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', setup], { cwd: docs.path, env: docs.env })
    await writeFile(join(docs.path, 'my-game/index.html'), example('web-page'))
    const settings = await readFile(join(docs.path, 'my-game/settings.js'), 'utf8')
    const [, game = '', board = '', prefix = ''] =
      /game = '(\w+)'[\s\S]*board = '(\w+)'[\s\S]*prefix: '(\w+)'/.exec(settings) ?? []
    begin()
    const page = await browser.newPage()
    const session = { key: prefix, refreshToken: 'void', token: 'void', expires_at: 0 }
    const kept = { player: { id: 'gone', name: 'Gone' }, guestToken: 'void', session }
    const items = [
      [`scorebook ${proxy.url} ${game} guest`, JSON.stringify(kept)],
      [`scorebook ${proxy.url}`, 'guests'],
    ]
    await page.addInitScript(`for (const [name, item] of ${JSON.stringify(items)}) localStorage.setItem(name, item)`)
    await page.goto(origin)
    await page.locator('#play:enabled').waitFor({ timeout: 60_000 })
    for (let click = 0; click < 10; click++) await page.locator('#play').click({ delay: 70 })
    await page.locator('#said:has-text("number 1")').waitFor()
    await page.locator('#top li:has-text("(you)")').waitFor()
    passed('web page, docs/tutorials/web-game.md', ['clock', 'handshake', 'void guest', 'submit', 'room'])
    // The live board comes again after the connection was lost.
    await fetch(`${proxy.url}/cut-rooms`, { method: 'POST' })
    const other = ['player', 'create', 'Grace', '--game', game]
    const { id } = await service.json<{ id: string }>(...other)
    await service.json('score', 'submit', board, '0.6', '--player', id, '--game', game)
    await page.locator('#top li:has-text("Grace")').waitFor()
    expect(await page.locator('#top li').count()).to.equal(2)
    await page.close()
    files.close()
  })

  it('is run by the file for Unity in Mono, as far as it goes', async () => {
    const { server, ...given } = await fixture()
    const program = join(folder, 'story.exe')
    const sources = ['../../clients/unity/Scorebook.cs', 'unity/UnityStubs.cs', 'story/Story.cs'].map(here)
    // 649: fields that only Unity's JSON reader assigns.
    await run('mcs', ['-warnaserror', '-nowarn:649', `-out:${program}`, ...sources])
    // Mono takes an answer that was cut within its body for a whole one.
    begin(false)
    const { prefix, secret = '' } = given.key
    const { stdout } = await run('mono', [program, given.url, given.game, given.board, prefix, secret, given.voidGuest])
    expect(JSON.parse(stdout)).to.deep.equal({ rank: 1, around: ['12.5'], season: SEASON })
    passed('Unity’s file, Mono', ENGINE)
    await counted({ ...given, server })
  })

  it('is run by the file for Godot 3 in headless Godot, which signs as the vectors say', async () => {
    const { server, ...given } = await fixture()
    const project = join(folder, 'godot')
    await mkdir(project)
    await writeFile(join(project, 'project.godot'), 'config_version=4\n')
    await copyFile(join(ROOT, 'clients/godot/scorebook_godot3.gd'), join(project, 'scorebook.gd'))
    await copyFile(here('story/story.gd'), join(project, 'story.gd'))
    const { 'hmac-sha256': vectors } = JSON.parse(await readFile(join(ROOT, 'docs/vectors/handshake.json'), 'utf8'))
    begin(false)
    const env = { ...process.env, HOME: project, SCOREBOOK_TEST: JSON.stringify({ ...given, vectors }) }
    const { stdout } = await run('godot3-server', ['--path', project, '-s', 'story.gd'], { env, timeout: 120_000 })
    const told = JSON.parse(/^told (.*)$/m.exec(stdout)?.[1] ?? `"${stdout}"`)
    const signatures = vectors.map((one: { readonly signature: string }) => one.signature)
    expect(told).to.deep.equal({ signatures, rank: 1, around: ['12.5'], season: SEASON })
    passed('Godot 3’s file, godot3-server', ENGINE)
    await counted({ ...given, server })
  })
})
