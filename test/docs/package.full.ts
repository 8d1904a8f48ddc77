// The packages as other projects install them, from the tarballs of `npm pack`, in empty folders.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { installClient, packClient } from '../clients/javascript/installed.ts'
import { buildConsole, builtProgram } from '../crash/build.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const run = promisify(execFile)

describe('the client package', function () {
  this.timeout(180_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scorebook-package-'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await installClient(folder)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('exports each entry point by its name, and nothing else', async () => {
    const program = `import * as game from '@scorebook/client'
import { createOutbox } from '@scorebook/client/outbox'
import { connectRooms } from '@scorebook/client/rooms'
import { connect } from '@scorebook/client/server'
import { verifyMessage } from '@scorebook/client/webhooks'
const hidden = await import('@scorebook/client/dist/caller.js').catch(({ code }) => code)
console.log([game.connect, game.ProblemError, createOutbox, connectRooms, connect, verifyMessage].map((one) => typeof one).join(), hidden)
`
    await writeFile(join(folder, 'program.mjs'), program)
    const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder })
    expect(stdout).to.equal('function,function,function,function,function,function ERR_PACKAGE_PATH_NOT_EXPORTED\n')
  })

  it('has types for each entry point, without those of Node', async () => {
    const program = `import { connect, type GameClient, type PlayerClient } from '@scorebook/client'
import { createOutbox, type Outbox } from '@scorebook/client/outbox'
import { connectRooms, type RoomsClient } from '@scorebook/client/rooms'
import { connect as connectServer } from '@scorebook/client/server'
import { verifyMessage } from '@scorebook/client/webhooks'
const key = { prefix: 'p', secret: 's' }
export const client: Promise<GameClient> = connect({ baseUrl: 'http://127.0.0.1', key, storage: localStorage })
// @ts-expect-error a key needs a prefix
connect({ baseUrl: 'http://127.0.0.1', key: { secret: 's' } })
// @ts-expect-error a game's client creates no games
client.then((one) => one.createGame('Quest'))
export const game = connectServer({ baseUrl: 'http://127.0.0.1', key }).then((one) => one.createGame('Quest'))
export const outbox = (player: PlayerClient): Outbox => createOutbox(player, { storage: localStorage })
export const rooms = (player: PlayerClient): Promise<RoomsClient> => connectRooms((() => {}) as never, player)
export const message = (request: Request, body: string) => verifyMessage(body, request.headers, 'whsec_AA==')
`
    await writeFile(join(folder, 'program.ts'), program)
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', '', 'program.ts']
    const { stdout } = await run(process.execPath, [TSC, ...options], { cwd: folder }).catch(
      (failure: { stdout: string }) => failure,
    )
    expect(stdout).to.equal('')
  })

  it('has no fault that publint or Are the types wrong find', async () => {
    const tarball = await packClient(folder)
    await run('npx', ['-y', 'publint@0.3', tarball, '--strict'], { cwd: folder })
    await run('npx', ['-y', '@arethetypeswrong/cli@0.18', tarball, '--profile', 'esm-only'], { cwd: folder })
  })
})

describe('the server package', function () {
  this.timeout(300_000)
  let folder: string
  let server: ChildProcess | undefined
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scorebook-server-package-'))
  })
  after(async () => {
    if (server !== undefined && server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  })

  /** Packs what other tests have built as `npm run build` does, in a folder of its own. */
  async function packServer(): Promise<string> {
    const source = join(folder, 'source')
    await mkdir(source)
    for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(join(ROOT, file), join(source, file))
    const built = dirname(dirname(builtProgram()))
    const added = ['package.json', 'node_modules'].map((name) => join(built, name))
    const filter = (path: string) => !added.includes(path)
    await cp(built, join(source, 'dist'), { recursive: true, filter })
    buildConsole()
    await cp(join(ROOT, 'dist/console'), join(source, 'dist/console'), { recursive: true })
    const { stdout } = await run('npm', ['pack', '--pack-destination', folder, '--silent'], { cwd: source })
    return join(folder, stdout.trim())
  }

  it('serves from an empty folder after the installation of its tarball', async () => {
    const tarball = await packServer()
    const home = join(folder, 'home')
    await mkdir(home)
    await writeFile(join(home, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: home })
    const { stdout } = await run('npx', ['--no-install', 'scorebook', '--version'], { cwd: home })
    expect(stdout).to.equal('0.2.0\n')
    const hidden = "import('@scorebook/server').catch(({ code }) => console.log(code))"
    const refused = await run(process.execPath, ['--input-type=module', '-e', hidden], { cwd: home })
    expect(refused.stdout).to.equal('ERR_PACKAGE_PATH_NOT_EXPORTED\n')
    const program = join(home, 'node_modules/.bin/scorebook')
    const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0' }
    server = spawn(program, ['serve'], { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] })
    const url = await addressOf(server)
    expect((await fetch(`${url}/api/openapi.json`)).status).to.equal(200)
    const page = await fetch(`${url}/console/`)
    expect([page.status, page.headers.get('Content-Type')]).to.deep.equal([200, 'text/html; charset=utf-8'])
  })
})

/** The address that the server prints. */
async function addressOf(server: ChildProcess): Promise<string> {
  if (server.stderr === null) throw new Error('the output is not read')
  const lines: string[] = []
  for await (const line of createInterface(server.stderr)) {
    lines.push(line)
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (address !== undefined) {
      server.stderr.resume()
      return address
    }
  }
  throw new Error(`the server ended: ${lines.join('\n')}`)
}
