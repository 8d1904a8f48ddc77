// The packed client in every runtime that it promises: a guest, a score, an outbox over a cut network, and a room.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { connect } from '../../client/connect.ts'
import { openServed, type Served } from '../cli/served.ts'
import { installClient } from './installed.ts'
import { operatorKey } from './keys.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

const PROGRAM = `import { connect, ProblemError } from '@scorebook/client'
import { createOutbox } from '@scorebook/client/outbox'
import { connectRooms } from '@scorebook/client/rooms'
import { io } from 'socket.io-client'
import { readFileSync } from 'node:fs'

const { baseUrl, key, game, board } = JSON.parse(readFileSync('config.json', 'utf8'))
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
console.log(JSON.stringify([first.player.id === player.player.id, waiting, sent.waiting, refusal, data.move, scores[0].score]))
process.exit(0)
`

describe('the packed client', function () {
  this.timeout(180_000)
  let served: Served
  let folder: string
  before(async () => {
    served = await openServed()
    const operator = await connect({ baseUrl: served.url, key: await operatorKey(served.dataDir) })
    const { game, key } = await operator.createGame('Quest')
    const server = await connect({ baseUrl: served.url, key })
    await server.changeGame(game.id, { realtime: { enabled: true } })
    const board = await server.createLeaderboard(game.id, { name: 'High scores', ordering: 'desc' })
    const { prefix, secret } = await server.issueKey(game.id, { name: 'k', kind: 'client', algorithm: 'hmac-sha256' })
    folder = await mkdtemp(join(tmpdir(), 'scorebook-runtimes-'))
    await installClient(folder)
    await symlink(join(ROOT, 'node_modules/socket.io-client'), join(folder, 'node_modules/socket.io-client'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'program.mjs'), PROGRAM)
    const config = { baseUrl: served.url, key: { prefix, secret }, game: game.id, board: board.id }
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
      expect(JSON.parse(stdout)).to.deep.equal([true, 1, 0, 'malformed', 'e4', '12.5'])
    })
  }
})
