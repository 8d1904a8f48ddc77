// `npm start` runs the server below a shell: a signal to npm must reach the server.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'

const OURS = join(import.meta.dirname, '..', '..', 'package.json')
/** In place of the server: says that it runs, and with which signal and arguments it ends. */
const SERVER = `
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {
  console.log('got', signal, ...process.argv.slice(2))
  process.exit(0)
})
setInterval(() => {}, 1000)
console.log('ready')
`

describe('npm start', () => {
  let folder: string
  let npm: ChildProcess
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scorebook-npm-'))
    const { scripts } = JSON.parse(await readFile(OURS, 'utf8'))
    await mkdir(join(folder, 'dist', 'cli'), { recursive: true })
    await writeFile(join(folder, 'dist', 'cli', 'main.js'), SERVER)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start: scripts.start } }))
  })
  afterEach(() => rm(folder, { recursive: true }))

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`passes ${signal} on to the server, and arguments`, async function () {
      this.timeout(60_000)
      npm = spawn('npm', ['start', '--', '--accept-clock'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
      let output = ''
      const ended = once(npm, 'close')
      npm.stdout?.on('data', (chunk: Buffer) => {
        output += chunk
        if (output.endsWith('ready\n')) npm.kill(signal)
      })
      await ended
      expect(output).to.match(new RegExp(`ready\\ngot ${signal} serve --accept-clock\\n$`))
    })
  }
})
