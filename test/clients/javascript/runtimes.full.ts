// The packed client in every runtime that it promises: a guest, a score, an outbox over a cut network, and a room.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { chromium } from 'playwright-core'
import { type Client, connect } from '../../../clients/javascript/connect.ts'
import { chromiumHere } from '../../browser/chromium.ts'
import { openServed, type Served } from '../../cli/served.ts'
import { pageOf, serveFolder } from './client-page.ts'
import { installClient } from './installed.ts'
import { operatorKey } from './keys.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

const PROGRAM = `import { connect, ProblemError } from '@scorebook/client'
import { createOutbox } from '@scorebook/client/outbox'
import { connectRooms } from '@scorebook/client/rooms'
import { io } from 'socket.io-client'

const { baseUrl, key, game, board } = await config()
const items = new Map()
const storage = { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value), removeItem: (name) => items.delete(name) }
let isCut = false
const options = { baseUrl, key, storage, reconnectMs: 0, fetch: (...call) => (isCut ? Promise.reject(new TypeError('cut')) : fetch(...call)) }
const first = await (await connect(options)).asGuest(game, { name: 'Ada' })
isCut = true
const player = await (await connect(options)).asGuest(game)
const outbox = createOutbox(player)
await outbox.submit(board, { score: '12.5' })
const { waiting } = await outbox.flush()
isCut = false
const sent = await outbox.flush()
outbox.close()
const refusal = await player.submit(board, { score: 'x' }).catch((error) => error instanceof ProblemError && error.code)
const rooms = await connectRooms(io, player)
const heard = new Promise((resolve) => rooms.on('message', resolve))
const { room } = await rooms.create({ name: 'Den' })
await rooms.send(room.id, { move: 'e4' })
const { data } = await heard
rooms.close()
const { scores } = await player.scores(board, { player: player.player.id })
done([first.player.id === player.player.id, waiting, sent.waiting, refusal, data.move, scores[0].score])
`
const EXPECTED = [true, 1, 0, 'malformed', 'e4', '12.5']

const IN_PROCESS = `import { readFileSync } from 'node:fs'
const config = () => JSON.parse(readFileSync('config.json', 'utf8'))
const done = (results) => {
  console.log(JSON.stringify(results))
  process.exit(0)
}
${PROGRAM}`
const IN_PAGE = `const config = async () => (await fetch('/config.json')).json()
const done = (results) => {
  globalThis.results = results
}
${PROGRAM}`

describe('the packed client', function () {
  this.timeout(180_000)
  let served: Served
  let folder: string
  let server: Client
  let game: string
  before(async () => {
    served = await openServed()
    const operator = await connect({ baseUrl: served.url, key: await operatorKey(served.dataDir) })
    const made = await operator.createGame('Quest')
    game = made.game.id
    server = await connect({ baseUrl: served.url, key: made.key })
    await server.changeGame(game, { realtime: { enabled: true } })
    const board = await server.createLeaderboard(game, { name: 'High scores', ordering: 'desc' })
    const { prefix, secret } = await server.issueKey(game, { name: 'k', kind: 'client', algorithm: 'hmac-sha256' })
    folder = await mkdtemp(join(tmpdir(), 'scorebook-runtimes-'))
    await installClient(folder)
    await symlink(join(ROOT, 'node_modules/socket.io-client'), join(folder, 'node_modules/socket.io-client'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'program.mjs'), IN_PROCESS)
    await writeFile(join(folder, 'page.mjs'), IN_PAGE)
    const config = { baseUrl: served.url, key: { prefix, secret }, game, board: board.id }
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  })
  after(async () => {
    await served.close()
    await rm(folder, { recursive: true, force: true })
  })

  for (const [runtime, command] of [
    ['the Node of this test', [process.execPath]],
    ['Node 20', ['npx', '-y', '-p', 'node@20', 'node']],
    ['Node 24', ['npx', '-y', '-p', 'node@24', 'node']],
    ['Deno', ['npx', '-y', 'deno@2', 'run', '--allow-all', '--node-modules-dir=manual']],
    ['Bun', ['npx', '-y', 'bun@1']],
  ] as const) {
    it(`runs in ${runtime}`, async () => {
      const [program, ...args] = command
      const { stdout } = await run(program, [...args, 'program.mjs'], { cwd: folder })
      expect(JSON.parse(stdout)).to.deep.equal(EXPECTED)
    })
  }

  it('runs in Chromium, from the files of the package', async () => {
    await writeFile(join(folder, 'index.html'), await pageOf(folder))
    const files = await serveFolder(folder)
    const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
    const executablePath = chromiumHere()
    if (executablePath === null) throw new Error('there is no chromium here: apt-get install chromium')
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    try {
      await server.changeGame(game, { cors_origins: [origin] })
      const page = await browser.newPage()
      const loaded: string[] = []
      page.on('response', (response) => loaded.push(new URL(response.url()).pathname))
      await page.goto(origin)
      await page.waitForFunction('globalThis.results')
      expect(await page.evaluate('globalThis.results')).to.deep.equal(EXPECTED)
      expect(loaded).to.include('/node_modules/@scorebook/client/dist/game-client.js')
    } finally {
      await browser.close()
      files.close()
    }
  })
})
