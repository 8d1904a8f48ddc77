// The examples for game engines, as far as they can be checked without the engines: Mono compiles the file for Unity
// with stand-ins, and its signatures are those of the vectors; gdtoolkit reads and lints the file for Godot.

import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { builtVenv } from '../servers/venv.ts'

interface Vector {
  readonly secret: string
  readonly request_id: string
  readonly nonce: string
  readonly unix_ts: number
  readonly permissions: readonly string[]
  readonly message: string
  readonly signature: string
}

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const run = promisify(execFile)

describe('an example for a game engine', function () {
  this.timeout(300_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scorebook-engines-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('compiles for Unity and signs as the handshake vectors say', async () => {
    const program = join(folder, 'vectors.exe')
    const sources = ['../../clients/unity/Scorebook.cs', 'unity/UnityStubs.cs', 'unity/Vectors.cs'].map(at)
    // 649: fields that only Unity's JSON reader assigns.
    await run('mcs', ['-warnaserror', '-nowarn:649', `-out:${program}`, ...sources])
    const { 'hmac-sha256': vectors } = JSON.parse(await readFile(at('../../docs/vectors/handshake.json'), 'utf8'))
    const lines = vectors.map((one: Vector) => {
      return [one.secret, one.request_id, one.nonce, one.unix_ts, ...one.permissions].join('\t')
    })
    const signing = spawn('mono', [program], { stdio: ['pipe', 'pipe', 'inherit'] })
    signing.stdin.end(`${lines.join('\n')}\n`)
    const signed = (await text(signing.stdout)).trimEnd().split('\n')
    expect(signed).to.deep.equal(vectors.map(({ message, signature }: Vector) => `${message}\t${signature}`))
  })

  it('is GDScript without a finding of the linter', async () => {
    const python = await builtVenv('scorebook-gdtoolkit', at('godot/requirements.txt'))
    const script = at('../../clients/godot/scorebook.gd')
    await run(python, ['-m', 'gdtoolkit.parser', script])
    expect((await run(python, ['-m', 'gdtoolkit.linter', script])).stdout).to.equal('Success: no problems found\n')
  })
})
