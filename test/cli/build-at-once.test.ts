// tools/build.mjs, which `npm start` runs first, in a folder of its own with compilers that only note that they ran.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const TOOLS = fileURLToPath(new URL('../../tools/', import.meta.url))
const AT_ONCE = 6
/** Notes its run, and takes long enough that the builds of one folder meet. */
const COMPILER = `const { appendFileSync, mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs')
appendFileSync('runs', process.argv[2] + '\\n')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
mkdirSync('dist/cli', { recursive: true })
writeFileSync('dist/cli/main.js', '')
`

describe('builds of one folder at once', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scorebook-build-'))
    for (const program of ['tools/bundle.mjs', 'node_modules/typescript/bin/tsc', 'node_modules/vite/bin/vite.js']) {
      const path = join(folder, program)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, COMPILER)
      chmodSync(path, 0o755)
    }
    mkdirSync(join(folder, 'clients/javascript'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{}')
    for (const tool of ['build.mjs', 'sources.mjs']) cpSync(join(TOOLS, tool), join(folder, 'tools', tool))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const lock = () => join(folder, 'node_modules/.scorebook-build')
  async function run(): Promise<string> {
    const child = spawn(process.execPath, ['tools/build.mjs', '--if-needed'], { cwd: folder })
    let err = ''
    child.stderr.on('data', (text) => {
      err += text
    })
    const [code] = await once(child, 'close')
    return `${code} ${err}`
  }

  it('all succeed, and one of them builds', async () => {
    const results = await Promise.all(Array.from({ length: AT_ONCE }, run))
    expect(results.sort()).to.deep.equal(['0 ', '0 ', '0 ', '0 ', '0 ', '0 Building ...\n'])
    expect(readFileSync(join(folder, 'runs'), 'utf8')).to.equal('dist\n-p\nbuild\n')
    expect([existsSync(lock()), existsSync(join(folder, 'node_modules/.bin/scorebook'))]).to.deep.equal([false, true])
  }).timeout(60_000)

  it('do not wait for one that was killed', async () => {
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'close')
    writeFileSync(lock(), String(dead.pid))
    const results = await Promise.all([run(), run()])
    expect(results.sort()).to.deep.equal(['0 ', '0 Building ...\n'])
  }).timeout(60_000)
})
