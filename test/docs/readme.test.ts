// The examples of the README, run word for word against a real server: the shell's by bash, curl and openssl, Node's and the
// browser's by Node. Only the address, the library's place and the values left open are put in.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { type Client, connect } from '../../client/connect.ts'
import { openServed, type Served } from '../cli/served.ts'
import { operatorKey } from '../client/keys.ts'
import { openWorld, type World } from '../front-door/world.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const TSX = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href
const USUAL_URL = 'http://127.0.0.1:8080'
const run = promisify(execFile)

function example(name: string): string {
  const [, code] = new RegExp(`<!-- example: ${name} -->\n\`\`\`\\w+\n([^]*?)\n\`\`\``).exec(README) ?? []
  if (code === undefined) throw new Error(`the README has no example ${name}`)
  return code
}

/** What must be there exactly so often: an example that was changed must not pass by not being filled in. */
function replaced(text: string, from: string, to: string): string {
  expect(text.split(from), `${from} in the example`).to.have.length(2)
  return text.replace(from, () => to)
}

describe('the README’s examples', function () {
  this.timeout(600_000)
  let world: World
  let folder: string
  let url: string
  let operator: Client

  before(async () => {
    world = await openWorld()
    // The examples sign with the time of their own clock, however long they take to come to it.
    Object.defineProperty(world.clock, 'nowMs', { get: Date.now })
    url = `http://127.0.0.1:${world.port}`
    operator = await connect({ baseUrl: url, key: await operatorKey(world.dataDir) })
    folder = await mkdtemp(join(tmpdir(), 'scorebook-readme-'))
    await symlink(world.dataDir, join(folder, 'data'))
    await mkdir(join(folder, 'bin'))
    // `npx scorebook` as the built one would be, from the sources.
    const npx = `#!/bin/sh\n[ "$1" = scorebook ] || exit 9\nshift\nexec "${process.execPath}" --import "${TSX}" "${ROOT}cli/main.ts" "$@"\n`
    await writeFile(join(folder, 'bin', 'npx'), npx)
    await chmod(join(folder, 'bin', 'npx'), 0o755)
  })
  after(async () => {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  })

  const environment = () => ({
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
    HOME: folder,
    PORT: String(world.port),
  })

  async function runsInNode(name: string, code: string): Promise<string> {
    const file = join(folder, `${name}.mjs`)
    await writeFile(file, code)
    const { stdout } = await run(process.execPath, ['--import', TSX, file], { cwd: folder, env: environment() })
    return stdout
  }

  it('from a shell: from nothing to a ranked score', async () => {
    const code = replaced(example('shell'), `url=${USUAL_URL}`, `url=${url}`)
    const options = { cwd: folder, env: environment() }
    const { stdout, stderr } = await run('bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', code], options)
    expect(stderr).to.equal('')
    const [answer = '', ...table] = stdout.split('\n')
    expect(JSON.parse(answer)).to.include({ score: '1250.5', rank: 1, improved: true, player_name: 'Ada' })
    expect(table.join('\n')).to.match(/rank +player +score +set\n +1 +Ada +1250\.5 /)
  })

  it('from the same shell: every other way to sign in', async () => {
    const code = replaced(`${example('shell')}\necho ---\n${example('sign-in')}`, `url=${USUAL_URL}`, `url=${url}`)
    const options = { cwd: folder, env: environment() }
    const { stdout, stderr } = await run('bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', code], options)
    expect(stderr).to.equal('')
    expect(stdout.split('\n---\n')[1]).to.equal('false\nAda\n900\nAda\nGrace\n')
  })

  it('from Node, with the client library', async () => {
    const library = pathToFileURL(join(ROOT, 'client/connect.ts')).href
    const code = replaced(replaced(example('node'), './dist/client/connect.js', library), USUAL_URL, url)
    expect(await runsInNode('node', code)).to.equal(
      'Ada is number 1 with 1250.5\nscore_above_maximum: The highest score taken is 9999.\n',
    )
  })

  it('from Node: two players in a room', async () => {
    let code = replaced(example('rooms'), USUAL_URL, url)
    for (const part of ['connect', 'rooms', 'transport']) {
      code = replaced(code, `./dist/client/${part}.js`, pathToFileURL(join(ROOT, `client/${part}.ts`)).href)
    }
    code = replaced(code, "'socket.io-client'", `'${import.meta.resolve('socket.io-client')}'`)
    expect(await runsInNode('rooms', code)).to.equal('message 1 of Den: e4\n')
  })

  it('from a browser, with fetch and WebCrypto alone; and then in a room, with Socket.IO', async () => {
    const { game, key } = await operator.createGame('Browser game')
    const server = await connect({ baseUrl: url, key })
    const board = await server.createLeaderboard(game.id, { name: 'High scores', ordering: 'desc' })
    const client = await server.issueKey(game.id, { name: 'page', kind: 'client', algorithm: 'hmac-sha256' })
    await server.changeGame(game.id, { realtime: { enabled: true } })
    const room = replaced(example('browser-rooms'), './socket.io.esm.min.js', import.meta.resolve('socket.io-client'))
    let code = `${example('browser').replace(/^<script type="module">\n|<\/script>$/g, '')}\n${room}`
    for (const [from, to] of [
      [USUAL_URL, url],
      ['<game>', game.id],
      ['<leaderboard>', board.id],
      ['<prefix of a client key>', client.prefix],
      ['<its secret>', client.secret ?? ''],
    ] as const) {
      code = replaced(code, from, to)
    }
    expect(await runsInNode('browser', code)).to.equal('Ada is number 1 with 1250.5\nmessage 1 of Den, from me: e4\n')
    expect(await server.leaderboard(board.id)).to.include({ entries: 1 })
  })

  it('from the same shell: files, there and back', async () => {
    const served: Served = await openServed()
    const inside = await mkdtemp(join(tmpdir(), 'scorebook-readme-files-'))
    try {
      await symlink(served.dataDir, join(inside, 'data'))
      const whole = `${example('shell')}\necho ---\n${example('files')}`
      const code = replaced(whole, `url=${USUAL_URL}`, `url=${served.url}`)
      const env = { ...environment(), HOME: inside, PORT: new URL(served.url).port }
      const args = ['--norc', '--noprofile', '-euo', 'pipefail', '-c', code]
      const { stdout, stderr } = await run('bash', args, { cwd: inside, env })
      const [, said = ''] = stdout.split('\n---\n')
      expect(said.replace(/Made \S+\n/, '')).to.equal(
        'player\n{}\n/saves/slot.bin\nlevel 3\nDownloaded /saves/slot.bin to copy/saves/slot.bin\n',
      )
      expect(stderr).to.match(/^Downloading: 7 bytes in /)
      expect(readFileSync(join(inside, 'copy/saves/slot.bin'), 'utf8')).to.equal('level 3')
    } finally {
      await served.close()
      await rm(inside, { recursive: true, force: true })
    }
  })
})
