// Garbage on V8's heap is bounded by what is in use, whatever memory the machine has, and new objects are always young.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const MODULE = fileURLToPath(new URL('../../server/heap.ts', import.meta.url))
const MIB = 1_048_576

/** A process that keeps some 60 MiB in use and replaces them many times prints the largest heap that it had. */
const CHURN = `
  const { setUpGarbageCollection } = await import(${JSON.stringify(MODULE)})
  setUpGarbageCollection()
  const kept = []
  let most = 0
  for (let round = 0; round < 200; round++) {
    for (let n = 0; n < 20_000; n++) kept[(round * 20_000 + n) % 600_000] = { n, pair: [n, round] }
    most = Math.max(most, process.memoryUsage().heapTotal)
  }
  console.log(most)
`

async function largestHeapMib(...options: string[]): Promise<number> {
  const args = [...options, '--import', 'tsx', '--input-type=module', '--eval', CHURN]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout) / MIB
}

/** A process that keeps many objects of one place prints what V8 notes of the places where such objects are created. */
const KEEP = `
  const { setUpGarbageCollection } = await import(${JSON.stringify(MODULE)})
  if (process.argv.includes('set-up')) setUpGarbageCollection()
  const kept = []
  for (let n = 0; n < 2_000_000; n++) kept[n % 200_000] = { n, pair: [n] }
`

async function placesNoted(...args: string[]): Promise<number> {
  const options = ['--trace-pretenuring-statistics', '--import', 'tsx', '--input-type=module', '--eval', KEEP]
  const { stdout } = await promisify(execFile)(process.execPath, [...options, ...args], { maxBuffer: 2 ** 26 })
  return stdout.split('\n').filter((line) => line.includes('pretenuring: AllocationSite')).length
}

describe('where V8 creates objects', function () {
  this.timeout(60_000)

  it('is not learned from how long earlier objects lived', async () => {
    expect(await placesNoted('set-up')).to.equal(0)
    expect(await placesNoted()).to.be.above(0)
  })
})

describe('the growth of the heap', function () {
  this.timeout(60_000)

  it('is bounded, unless the process was started with a growth of its own', async () => {
    const limit = ['--max-old-space-size=8192']
    const [bounded, own] = [
      await largestHeapMib(...limit),
      await largestHeapMib(...limit, '--heap-growing-percent=300'),
    ]
    expect(bounded).to.be.below(own * 0.75)
  })
})
