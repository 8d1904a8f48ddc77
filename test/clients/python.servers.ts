// The Python client: installs with pip, is typed, and passes its own tests, also against a running server.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { MadeKey } from '../../clients/javascript/shapes.ts'
import type { MadeGame } from '../cli/service.ts'
import { openService, type Service } from '../cli/service.ts'
import { commandDriver } from '../conformance/command-driver.ts'
import { type Report, runAll } from '../conformance/run-all.ts'
import { builtVenv } from '../servers/venv.ts'
import { operatorKey } from './javascript/keys.ts'

const PACKAGE = fileURLToPath(new URL('../../clients/python', import.meta.url))

describe('the Python client', function () {
  this.timeout(600_000)
  let service: Service
  let python: string
  /** Where the package is installed. */
  let installed: string
  before(async () => {
    service = await openService()
    python = await builtVenv('scorebook-python-client', join(PACKAGE, 'requirements-test.txt'))
    installed = await mkdtemp(join(tmpdir(), 'scorebook-python-'))
    // Without isolation pip takes the build tool of the environment instead of downloading it.
    await run('pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', '--target', installed, PACKAGE)
  })
  after(async () => {
    await service.close()
    await rm(installed, { recursive: true, force: true })
  })

  /** Runs a module on the installed package, and returns what it prints; rejects with it if it fails. */
  async function run(module: string, ...args: string[]): Promise<string> {
    const env = { ...process.env, PYTHONPATH: installed, PYTHONDONTWRITEBYTECODE: '1', SCOREBOOK_TEST: await fixture() }
    const failed = (error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`)
    }
    const options = { cwd: PACKAGE, env, maxBuffer: 1 << 26 }
    return (await promisify(execFile)(python, ['-m', module, ...args], options).catch(failed)).stdout
  }

  let made: string | null = null
  async function fixture(): Promise<string> {
    if (made !== null) return made
    const { game, key } = await service.json<MadeGame>('game', 'create', 'Quest')
    const board = await service.json<{ id: string }>('board', 'create', 'Board', '--game', game.id)
    const keyArgs = [
      'key',
      'issue',
      '--game',
      game.id,
      '--kind',
      'server',
      '--name',
      'python',
      '--algorithm',
      'ed25519',
    ]
    const ed25519 = await service.json<MadeKey>(...keyArgs)
    made = JSON.stringify({
      url: service.url,
      game: game.id,
      board: board.id,
      prefix: key.prefix,
      secret: key.secret,
      ed25519,
    })
    return made
  }

  it('passes mypy --strict', async () => {
    for (const checked of [['-p', 'scorebook_client'], ['conformance/driver.py']])
      expect(await run('mypy', '--cache-dir', join(installed, '.mypy'), ...checked)).to.match(/^Success: /)
  })

  it('passes its own tests, which skip nothing', async () => {
    const out = await run('pytest', '-q', '-p', 'no:cacheprovider', 'tests', 'live')
    expect(out.trimEnd().split('\n').at(-1)).to.match(/^[0-9]+ passed in /)
  })

  it('passes the conformance suite, but for the rooms, which it does not have', async () => {
    const driver = await commandDriver(`PYTHONPATH='${installed}' '${python}' '${PACKAGE}/conformance/driver.py'`)
    const reports: Report[] = []
    try {
      const run = { server: service.url, operatorKey: await operatorKey(service.dataDir), driver }
      await runAll(run, (report) => reports.push(report))
    } finally {
      await driver.end()
    }
    const failed = reports.flatMap(({ outcomes }) => outcomes.filter(({ failure }) => failure !== null))
    expect(failed).to.deep.equal([])
    expect(reports.map(({ name, outcomes }) => [name, outcomes.length])).to.deep.equal([
      ['handshake', 14],
      ['errors', 58],
      ['paging', 42],
      ['idempotency', 13],
      ['retry', 23],
      ['rooms', 0],
    ])
  })
})
