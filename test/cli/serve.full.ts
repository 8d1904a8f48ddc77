// `scorebook serve` as a process: the greeting is correct, start errors help, and it stops on SIGTERM.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { greetingLines } from '../../cli/serve.ts'
import { invocation, localUrl, quoted } from '../../cli/target.ts'
import { builtProgram } from '../crash/build.ts'
import { newFolder } from './service.ts'

const run = promisify(execFile)

interface Serving {
  readonly child: ChildProcess
  /** The stderr output so far. */
  output(): string
  /** Resolves with the output once it contains this text; rejects if the process exits before. */
  untilOutput(text: string): Promise<string>
}

function serve(env: Readonly<Record<string, string>>): Serving {
  const base = { PATH: process.env.PATH ?? '', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [builtProgram(), 'serve'], { env: { ...base, ...env } })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const untilOutput = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => output.includes(text) && resolve(output)
      child.stderr?.on('data', look)
      child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${output}`)))
      look()
    })
  return { child, output: () => output, untilOutput }
}

describe('scorebook serve', function () {
  this.timeout(60_000)

  it('prints three commands to try next, each of which works, and stops on SIGTERM', async () => {
    const folder = join(await newFolder(), 'it’s data')
    const bin = join(await newFolder(), 'bin')
    await mkdir(bin)
    const quotedMain = [process.execPath, builtProgram()].map(quoted).join(' ')
    await writeFile(join(bin, 'npx'), `#!/bin/sh\n[ "$1" = scorebook ] || exit 9\nshift\nexec ${quotedMain} "$@"\n`)
    await chmod(join(bin, 'npx'), 0o755)
    const serving = serve({ DATA_DIR: folder })
    const greeting = await serving.untilOutput('/api/openapi.json\n')
    expect(greeting).to.contain(`The operator key is in ${join(folder, 'operator.json')}`)
    const lines = [...greeting.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line)
    expect(lines).to.have.length(3)
    const env = { PATH: [bin, process.env.PATH].join(delimiter) }
    for (const line of lines) {
      const typed = line.replace(/ demo$/, ' demo --players 3 --scores 12')
      const { stdout } = await run('bash', ['--norc', '-c', typed], { env })
      expect(stdout, line).to.match(/Top ten of|Created the game 'My game'|"openapi":"3\.1/)
    }
    serving.child.kill('SIGTERM')
    expect(await once(serving.child, 'exit')).to.deep.equal([0, null])
  })

  it('prints all faults of the configuration at once, and exits with 2', async () => {
    const serving = serve({ DATA_DIR: await newFolder(), PORT: 'x', RATE_LIMITS: '{', LOG_LEVEL: 'loud' })
    expect(await once(serving.child, 'exit')).to.deep.equal([2, null])
    expect(serving.output())
      .to.match(/^scorebook: PORT: /m)
      .and.match(/^scorebook: LOG_LEVEL: /m)
  })

  it('prints that the port or the data folder is in use, and exits with 1', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = String(typeof address === 'object' ? address?.port : '')
    const dataDir = await newFolder()
    const portTaken = serve({ DATA_DIR: dataDir, PORT: port })
    expect(await once(portTaken.child, 'exit')).to.deep.equal([1, null])
    expect(portTaken.output()).to.equal(
      `scorebook: cannot start: port ${port} of 127.0.0.1 is taken. Stop what listens there, or set PORT; \`npx scorebook doctor\` tells more.\n`,
    )
    const adminTaken = serve({ DATA_DIR: dataDir, ADMIN_PORT: port })
    expect(await once(adminTaken.child, 'exit')).to.deep.equal([1, null])
    expect(adminTaken.output()).to.contain('or set ADMIN_PORT')
    other.close()

    const first = serve({ DATA_DIR: dataDir })
    await first.untilOutput('is ready at')
    const second = serve({ DATA_DIR: dataDir })
    expect(await once(second.child, 'exit')).to.deep.equal([1, null])
    expect(second.output()).to.contain(
      'is in use: another process has this data folder open. Stop it first, or set DATA_DIR to another folder.\n',
    )
    first.child.kill('SIGINT')
    expect(await once(first.child, 'exit')).to.deep.equal([0, null])
  })
})

describe('the greeting', () => {
  const usual = {
    host: '127.0.0.1',
    port: 8080,
    publicUrl: 'http://127.0.0.1:8080',
    dataDir: './data',
    movedAdminPort: null,
  }
  const lines = (change: object) => greetingLines({ ...usual, operatorFile: 'data/operator.json', ...change }, '1.2.3')

  it('is short with the default settings', () => {
    expect(lines({})).to.deep.equal([
      '',
      'Scorebook 1.2.3 is ready at http://127.0.0.1:8080',
      'The operator key is in data/operator.json',
      '',
      'Next, in another terminal, in this folder:',
      '',
      '  Create a demo game with players and scores:',
      '    npx scorebook demo',
      '  Create your own game:',
      '    npx scorebook game create "My game"',
      '  List all API calls:',
      '    curl http://127.0.0.1:8080/api/openapi.json',
      '',
    ])
  })

  it('is correct for any port, host, public address and folder', () => {
    const text = (change: object) => lines(change).join('\n')
    expect(text({ port: 9000, publicUrl: 'http://127.0.0.1:0' })).to.contain(
      'npx scorebook --url http://127.0.0.1:9000 demo',
    )
    expect(text({ port: 9000, publicUrl: 'http://127.0.0.1:0' })).not.to.contain(':0\n')
    expect(text({ host: '0.0.0.0', publicUrl: 'http://0.0.0.0:8080' })).to.equal(text({}))
    expect(text({ host: '::1', publicUrl: 'http://[::1]:8080' })).to.contain('curl http://[::1]:8080/api/')
    expect(text({ publicUrl: 'https://scores.example' })).to.contain('\nThe public address is https://scores.example\n')
    expect(text({ dataDir: "/srv/it's here" })).to.contain("DATA_DIR='/srv/it'\\''s here' npx scorebook demo")
    expect(text({ operatorFile: null })).not.to.contain('operator key')
    expect(text({ movedAdminPort: 9123 })).to.contain(
      '\nThe usual ADMIN_PORT is taken: metrics and health are at http://127.0.0.1:9123\n',
    )
  })

  it('prints a reachable address for any listening host, and quotes paths for the shell', () => {
    expect(localUrl('::', 1)).to.equal('http://[::1]:1')
    expect(localUrl('example.com', 1)).to.equal('http://example.com:1')
    expect(invocation({ url: 'http://a?b=1&c', dataDir: './data' })).to.equal("npx scorebook --url 'http://a?b=1&c'")
  })
})
