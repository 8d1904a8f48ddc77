// Traces of the bundled program name its source files.

import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { builtProgram } from '../crash/build.ts'

/** A fault in what the program reads of the process when it starts. */
const FAULTY = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process.stdout, 'isTTY', { get() { throw new Error('planned') } })",
)}`

describe('a trace of the built program', () => {
  it('names the source file and line', () => {
    const { stderr } = spawnSync(process.execPath, ['--import', FAULTY, builtProgram(), '--help'], { encoding: 'utf8' })
    expect(stderr).to.contain('Error: planned')
    expect(stderr).to.match(/at terminalOf \(\S*\/cli\/terminal\.ts:\d+:\d+\)/)
  }).timeout(60_000)
})
