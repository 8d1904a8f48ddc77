// The package as another project installs it: its entry points can be imported, and their types resolve.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const run = promisify(execFile)

describe('the package', function () {
  this.timeout(120_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scorebook-package-'))
    const installed = join(folder, 'node_modules/scorebook')
    await mkdir(installed, { recursive: true })
    await cp(join(ROOT, 'package.json'), join(installed, 'package.json'))
    const build = ['-p', 'tsconfig.build.json', '--outDir', join(installed, 'dist')]
    await run(process.execPath, [TSC, ...build], { cwd: ROOT })
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('exports each entry point by its name, and nothing else', async () => {
    const program = `import { connect, ProblemError } from 'scorebook'
import { connectRooms, roomTicket } from 'scorebook/rooms'
import { createTransport } from 'scorebook/transport'
const hidden = await import('scorebook/dist/main.js').catch(({ code }) => code)
console.log([connect, ProblemError, connectRooms, roomTicket, createTransport].map((one) => typeof one).join(), hidden)
`
    await writeFile(join(folder, 'program.mjs'), program)
    const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder })
    expect(stdout).to.equal('function,function,function,function,function ERR_PACKAGE_PATH_NOT_EXPORTED\n')
  })

  it('has types for each entry point', async () => {
    const program = `import { connect, type Client } from 'scorebook'
import { connectRooms } from 'scorebook/rooms'
const client: Promise<Client> = connect({ baseUrl: 'http://127.0.0.1', key: { prefix: 'p', secret: 's' } })
// @ts-expect-error a key needs a prefix
connect({ baseUrl: 'http://127.0.0.1', key: { secret: 's' } })
export const all: readonly [Promise<Client>, typeof connectRooms] = [client, connectRooms]
`
    await writeFile(join(folder, 'program.ts'), program)
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--skipLibCheck',
      'program.ts',
    ]
    const { stdout } = await run(process.execPath, [TSC, ...options, '--types', ''], { cwd: folder }).catch(
      (failure: { stdout: string }) => failure,
    )
    expect(stdout).to.equal('')
  })

  it('lists only files that a build creates', async () => {
    const { exports, types, bin } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    const named = [
      types,
      bin.scorebook,
      ...Object.values<object | string>(exports).flatMap((one) => Object.values(one)),
    ]
    const files = named.filter((path): path is string => typeof path === 'string' && path.includes('dist/'))
    expect(files.length).to.be.greaterThan(6)
    for (const path of files) await readFile(join(folder, 'node_modules/scorebook', path))
  })
})
