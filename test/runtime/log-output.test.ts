// The log output: bounded while nobody reads, in order, and it counts dropped lines.

import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { LOG_WAITING_MAX_BYTES, type LogOutput, openLogOutput } from '../../runtime/log-output.ts'
import { turn, until } from '../until.ts'

const LINE = `${'x'.repeat(1_023)}\n`
/** Twice the limit of the buffer, and more than a pipe takes in addition. */
const LINES = (2 * LOG_WAITING_MAX_BYTES) / LINE.length + 1_024

describe('The output of the log', () => {
  let folder: string
  const open: number[] = []
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scorebook-output-'))
  })
  afterEach(() => {
    for (const fd of open.splice(0)) closeSync(fd)
    rmSync(folder, { recursive: true })
  })

  const opened = (name: string, flags: number): number => {
    const fd = openSync(join(folder, name), flags, 0o600)
    open.push(fd)
    return fd
  }

  const openFull = (): number => {
    const fd = openSync('/dev/full', 'w')
    open.push(fd)
    return fd
  }

  it('buffers a bounded number of bytes for a pipe that nobody reads, and continues when it is read', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const reader = opened('pipe', constants.O_RDWR | constants.O_NONBLOCK)
    // Its stream closes it.
    const writer = openSync(join(folder, 'pipe'), constants.O_WRONLY | constants.O_NONBLOCK)
    let lost = 0
    const output = openLogOutput(writer, (count) => {
      lost += count
    })
    const write = (count: number) => {
      for (let n = 0; n < count; n++) output.write(LINE)
    }
    write(LINES)
    await someTurns()
    write(LINES)
    const { dropped } = output
    expect(dropped * LINE.length).to.be.greaterThan(2 * LOG_WAITING_MAX_BYTES)
    let read = 0
    await until(() => {
      read += drained(reader)
      return read === (2 * LINES - dropped) * LINE.length
    })
    expect([output.dropped, lost]).to.deep.equal([dropped, dropped])
  })

  it('drops and counts lines that a full disk does not take, also at the end of the process', async () => {
    const output = openLogOutput(openFull())
    output.write(LINE)
    output.write(LINE)
    await output.flushed()
    expect(output.dropped).to.equal(2)
    output.write(LINE)
    output.flushSync()
    expect(output.dropped).to.equal(3)
  })

  it('writes all lines to a file in order, also at the end of the process', async () => {
    const output = openLogOutput(opened('log', constants.O_CREAT | constants.O_WRONLY | constants.O_APPEND))
    const numbers = Array.from({ length: 10_000 }, (_, n) => `${n}\n`)
    for (const line of numbers.slice(0, 9_990)) output.write(line)
    await output.flushed()
    for (const line of numbers.slice(9_990)) output.write(line)
    output.flushSync()
    expect(readFileSync(join(folder, 'log'), 'utf8')).to.equal(numbers.join(''))
    expect(output.dropped).to.equal(0)
  })

  it('drops and counts every line if there is no output', async () => {
    const output: LogOutput = openLogOutput(1_000_000)
    output.write(LINE)
    await output.flushed()
    expect(output.dropped).to.equal(1)
  })
})

/** Lets pending work continue for some turns of the event loop. */
async function someTurns(): Promise<void> {
  for (let n = 0; n < 20; n++) await turn()
}

function drained(fd: number): number {
  const buffer = Buffer.alloc(65_536)
  try {
    return readSync(fd, buffer)
  } catch {
    return 0
  }
}
