// Runs the examples of the README and of the documentation literally against a real server: shell examples with bash,
// curl and openssl, Node and browser examples with Node. Only the address, the path of the library and placeholder
// values are replaced.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { openServed, type Served } from '../cli/served.ts'
import { installClient } from '../clients/javascript/installed.ts'
import { builtProgram } from '../crash/build.ts'
import { example, exampleNames, pagesWithUnnamedBlocks } from './pages.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const USUAL_URL = 'http://127.0.0.1:8080'
const run = promisify(execFile)

/** Replaces a text that must occur exactly this often, so that a changed example cannot pass without replacement. */
function replaced(text: string, from: string, to: string): string {
  expect(text.split(from), `${from} in the example`).to.have.length(2)
  return text.replace(from, () => to)
}

/** Run here, and in web-game.full.ts. */
const RUN = ['files', 'first-score', 'match', 'node', 'rooms', 'shell', 'sign-in', 'verified', 'weekly']
const RUN_IN_CHROMIUM = ['web-page', 'web-setup']
/** Run in weekly-board.full.ts. */
const RUN_BY_A_FIXED_CLOCK = ['', '-ban', '-close', '-curl', '-node', '-schedule', '-submit'].map(
  (step) => `weekly-board${step}`,
)

describe('the examples of the documentation', function () {
  this.timeout(600_000)
  let served: Served
  let folder: string

  before(async () => {
    served = await openServed()
    folder = await mkdtemp(join(tmpdir(), 'scorebook-readme-'))
    await symlink(served.dataDir, join(folder, 'data'))
    await mkdir(join(folder, 'bin'))
    await installClient(folder)
    await symlink(join(ROOT, 'node_modules/socket.io-client'), join(folder, 'node_modules/socket.io-client'))
    // `npx scorebook` runs the built program.
    const npx = `#!/bin/sh\n[ "$1" = scorebook ] || exit 9\nshift\nexec "${process.execPath}" "${builtProgram()}" "$@"\n`
    await writeFile(join(folder, 'bin', 'npx'), npx)
    await chmod(join(folder, 'bin', 'npx'), 0o755)
  })
  after(async () => {
    await served.close()
    await rm(folder, { recursive: true, force: true })
  })

  const environment = () => ({
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
    HOME: folder,
    PORT: new URL(served.url).port,
  })

  async function runsInNode(name: string, code: string): Promise<string> {
    const file = join(folder, `${name}.mjs`)
    await writeFile(file, code)
    const { stdout } = await run(process.execPath, [file], { cwd: folder, env: environment() })
    return stdout
  }

  /** Runs the examples of one shell in order, because each uses the results of those before it. */
  let shellOutput: Promise<{ readonly parts: readonly string[]; readonly stderr: string }> | null = null
  function fromTheShell() {
    shellOutput ??= (async () => {
      const whole = ['shell', 'sign-in', 'files'].map(example).join('\necho ---\n')
      const code = replaced(whole, `url=${USUAL_URL}`, `url=${served.url}`)
      const options = { cwd: folder, env: environment() }
      const { stdout, stderr } = await run('bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', code], options)
      return { parts: stdout.split(/^---\n/m), stderr }
    })()
    return shellOutput
  }

  it('are all run, and no block that could run is left out', () => {
    expect(exampleNames()).to.deep.equal([...RUN, ...RUN_IN_CHROMIUM, ...RUN_BY_A_FIXED_CLOCK].sort())
    expect(pagesWithUnnamedBlocks()).to.deep.equal([])
  })

  it('make the first score of the README', async () => {
    const code = replaced(example('first-score'), USUAL_URL, served.url)
    const [, file = '', score] =
      /^The key of the game is in (\S+)\n(.*\n)$/.exec(await runsInNode('first-score', code)) ?? []
    expect(score).to.equal('Ada is number 1 with 1250.500000000000000001\n')
    const args = [builtProgram(), 'board', 'top', 'high-scores', '--key-file', file, '--url', served.url]
    expect((await run(process.execPath, args, { cwd: folder })).stdout).to.match(/ 1 +Ada +1250\.500000000000000001 /)
  })

  it('run in a shell, from an empty folder to a ranked score', async () => {
    const [answer = '', ...table] = (await fromTheShell()).parts[0]?.split('\n') ?? []
    expect(JSON.parse(answer)).to.include({ score: '1250.5', rank: 1, improved: true, player_name: 'Ada' })
    expect(table.join('\n')).to.match(/rank +player +score +set\n +1 +Ada +1250\.5 /)
  })

  it('run in the same shell for every other sign-in method', async () => {
    expect((await fromTheShell()).parts[1]).to.equal('false\nAda\n900\nAda\nGrace\n')
  })

  it('upload and download files in the same shell', async () => {
    const { parts, stderr } = await fromTheShell()
    expect(parts).to.have.length(3)
    expect(parts[2]?.replace(/Made \S+\n/, '')).to.equal(
      'player\n{}\n/saves/slot.bin\nlevel 3\nDownloaded /saves/slot.bin to copy/saves/slot.bin\n',
    )
    // The page shows no output for the first two.
    expect(stderr).to.match(/^Downloading: 7 bytes in [^\n]*\n?$/)
    expect(readFileSync(join(folder, 'copy/saves/slot.bin'), 'utf8')).to.equal('level 3')
  })

  it('run in Node with the client library', async () => {
    expect(await runsInNode('node', replaced(example('node'), USUAL_URL, served.url))).to.equal(
      'Ada is number 1 with 1250.5\nscore_above_maximum: The score is above the leaderboard’s max_score, 9999.\n',
    )
  })

  it('submit the scores of a whole match from Node', async () => {
    expect(await runsInNode('match', replaced(example('match'), USUAL_URL, served.url))).to.equal(
      'account-1: number 1 with 1250.5\naccount-2: number 2 with 980\naccount-3: unknown_player\n',
    )
  })

  it('connect two players in a room from Node', async () => {
    expect(await runsInNode('rooms', replaced(example('rooms'), USUAL_URL, served.url))).to.equal(
      'message 1 of Den: e4\n',
    )
  })

  it('rank the players by their totals of this week from Node', async () => {
    expect(await runsInNode('weekly', replaced(example('weekly'), USUAL_URL, served.url))).to.equal(
      '1. Ada: 7 kills this week\n',
    )
  })

  it('let a Node server check scores and submit them for the player, each round once, and the page watch the board', async () => {
    const watching = `
const { io } = await import('socket.io-client')
const { connectRooms } = await import('@scorebook/client/rooms')
await server.changeGame(game.id, { realtime: { enabled: true } })
const rooms = await connectRooms(io, ada)
console.log((await rooms.watch(board.id)).scores.length, (await server.leaderboard(board.id)).entries)
rooms.close()
`
    const code = replaced(example('verified'), USUAL_URL, served.url)
    expect(await runsInNode('verified', code + watching)).to.equal(
      'the page may not submit: permission_needed\nAda is number 1 with 200\n1 1\n',
    )
  })
})
