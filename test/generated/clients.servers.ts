// Clients generated from the served OpenAPI document for TypeScript and Python: they have every operation, their types
// are valid, and they sign in, submit scores and upload a file on a running server. The generators are installed in
// folders of their own, since they need another TypeScript.

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type MadeGame, openService, type Service } from '../cli/service.ts'
import { operationsOf } from '../openapi/served-document.ts'
import { builtVenv } from '../servers/venv.ts'
import { builtPackages } from './packages.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

describe('a client generated from the OpenAPI document', function () {
  this.timeout(600_000)
  let service: Service
  let folder: string
  let ids: string[]
  let fixture: string
  beforeEach(async () => {
    service = await openService()
    folder = await mkdtemp(join(tmpdir(), 'scorebook-generated-'))
    const served = await (await fetch(`${service.url}/api/openapi.json`)).text()
    await writeFile(join(folder, 'openapi.json'), served)
    ids = operationsOf(JSON.parse(served)).map(({ operationId }) => operationId)
    const { game, key } = await service.json<MadeGame>('game', 'create', 'Quest')
    const seasons = ['--seasons', '0 0 1 1 *', '--time-zone', 'UTC']
    const board = await service.json<{ id: string }>('board', 'create', 'Board', '--game', game.id, ...seasons)
    const { prefix, secret } = key
    fixture = JSON.stringify({ url: service.url, game: game.id, board: board.id, prefix, secret })
  })
  afterEach(async () => {
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

  it('for TypeScript has every operation and valid types, submits scores and uploads a file', async () => {
    const modules = await builtPackages('scorebook-generated-typescript', here('typescript/package.json'))
    const bin = (name: string) => join(modules, '.bin', name)
    await symlink(modules, join(folder, 'node_modules'))
    await cp(here('typescript/first-score.mts'), join(folder, 'first-score.mts'))
    await run(bin('openapi-typescript'), ['openapi.json', '-o', 'schema.ts'])
    const [, operations = ''] = (await readFile(join(folder, 'schema.ts'), 'utf8')).split(
      'export interface operations {',
    )
    const generated = [...operations.matchAll(/^ {4}(\w+): \{$/gm)].map(([, name]) => name)
    expect(generated.toSorted()).to.deep.equal(ids.toSorted())
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const types = ['--strict', '--skipLibCheck', '--types', 'node', '--lib', 'es2022,dom,dom.iterable']
    await run(bin('tsc'), [...types, '--module', 'nodenext', '--target', 'es2022', 'first-score.mts'])
    expect(JSON.parse(await run(process.execPath, ['first-score.mjs']))).to.deep.equal([
      ...[['Board'], 'best'],
      ...[201, 1, 'malformed', 1250.5],
      ...[200, 'leaderboard_not_found'],
      ...[1, ['1260', null], ['1260', null]],
      ...['1260', '/slot.bin', 7, ['1250.5', '1260']],
    ])
  })

  it('for Python has every operation and valid types, submits scores and uploads a file', async () => {
    const python = await builtVenv('scorebook-generated-python', here('python/requirements.txt'))
    await cp(here('python/first_score.py'), join(folder, 'first_score.py'))
    // What the generator cannot express it leaves out with a warning.
    const generate = ['-m', 'openapi_python_client', 'generate', '--fail-on-warning', '--path', 'openapi.json']
    await run(python, [...generate, '--meta', 'none', '--output-path', 'generated'])
    const generated = (await readdir(join(folder, 'generated', 'api'), { recursive: true }))
      .filter((path) => path.endsWith('.py') && !path.endsWith('__init__.py'))
      .map((path) => basename(path, '.py'))
    expect(generated.toSorted()).to.deep.equal(ids.map(snakeCase).toSorted())
    await cp(here('python/mypy.ini'), join(folder, 'mypy.ini'))
    await run(python, ['-m', 'mypy', '--cache-dir', '.mypy', 'generated', 'first_score.py'])
    expect(JSON.parse(await run(python, ['first_score.py']))).to.deep.equal([
      ...[['Board'], 'best'],
      ...[201, 1, 'malformed'],
      ...[200, 'leaderboard_not_found', '2260'],
      ...[1, ['2260', null], ['2260', null]],
      ...['/slot.bin', 7, ['2250.5', '2260']],
    ])
  })
})

const snakeCase = (id: string): string => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
