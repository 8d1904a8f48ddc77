// Clients generated from the served OpenAPI document for TypeScript and Python: their types are valid, and they make a
// first score on a running server. The generators are installed in folders of their own, since they need another
// TypeScript.

import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type MadeGame, openService, type Service } from '../cli/service.ts'
import { builtVenv } from '../servers/venv.ts'
import { builtPackages } from './packages.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

describe('a client generated from the OpenAPI document', function () {
  this.timeout(600_000)
  let service: Service
  let folder: string
  let fixture: string
  before(async () => {
    service = await openService()
    folder = await mkdtemp(join(tmpdir(), 'scorebook-generated-'))
    await writeFile(join(folder, 'openapi.json'), await (await fetch(`${service.url}/api/openapi.json`)).text())
    const { game, key } = await service.json<MadeGame>('game', 'create', 'Quest')
    const board = await service.json<{ id: string }>('board', 'create', 'Board', '--game', game.id)
    const { prefix, secret } = key
    fixture = JSON.stringify({ url: service.url, game: game.id, board: board.id, prefix, secret })
  })
  after(async () => {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs a program in the folder and returns what it prints; rejects with it if it fails. */
  async function run(binary: string, args: readonly string[]): Promise<string> {
    const path = `${dirname(binary)}${delimiter}${process.env.PATH}`
    const options = { cwd: folder, env: { ...process.env, PATH: path, SCOREBOOK_TEST: fixture }, maxBuffer: 1 << 26 }
    const failed = (error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`)
    }
    return (await promisify(execFile)(binary, args, options).catch(failed)).stdout
  }

  it('for TypeScript has valid types and makes a first score', async () => {
    const modules = await builtPackages('scorebook-generated-typescript', here('typescript/package.json'))
    const bin = (name: string) => join(modules, '.bin', name)
    await symlink(modules, join(folder, 'node_modules'))
    await cp(here('typescript/first-score.mts'), join(folder, 'first-score.mts'))
    await run(bin('openapi-typescript'), ['openapi.json', '-o', 'schema.ts'])
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const types = ['--strict', '--skipLibCheck', '--types', 'node', '--lib', 'es2022,dom,dom.iterable']
    await run(bin('tsc'), [...types, '--module', 'nodenext', '--target', 'es2022', 'first-score.mts'])
    expect(JSON.parse(await run(process.execPath, ['first-score.mjs']))).to.deep.equal([
      ...[201, 1, ['1250.5']],
      ...['malformed', 1250.5],
    ])
  })

  it('for Python has valid types and makes a first score', async () => {
    const python = await builtVenv('scorebook-generated-python', here('python/requirements.txt'))
    await cp(here('python/first_score.py'), join(folder, 'first_score.py'))
    const generate = ['-m', 'openapi_python_client', 'generate', '--path', 'openapi.json', '--meta', 'none']
    await run(python, [...generate, '--output-path', 'generated'])
    await cp(here('python/mypy.ini'), join(folder, 'mypy.ini'))
    await run(python, ['-m', 'mypy', '--cache-dir', '.mypy', 'generated', 'first_score.py'])
    expect(JSON.parse(await run(python, ['first_score.py']))).to.deep.equal([201, 1, '2250.5', 'malformed'])
  })
})
