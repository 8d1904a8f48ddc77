// Fake timers count and fire only what the test itself starts.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withFakeTimers } from './fake-timers.ts'
import { gate } from './until.ts'

describe('fake timers', () => {
  it('count and fire what the work starts, after awaits too, and leave the timers of other code real', async () => {
    const begun = gate()
    const fired: string[] = []
    const others = begun.opened.then(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))
    await withFakeTimers(async ({ running, fire }) => {
      begun.open()
      await others
      setTimeout(() => fired.push('started first'), 1)
      clearTimeout(setTimeout(() => fired.push('never'), 1))
      await null
      setTimeout(() => fired.push('started later'), 1)
      expect(running.size).to.equal(2)
      fire()
      expect(running.size).to.equal(0)
    })
    expect(fired).to.deep.equal(['started first', 'started later'])
  })

  it('are replaced by the real ones at the end', async () => {
    const { setTimeout: real } = globalThis
    await withFakeTimers(() => {})
    expect(globalThis.setTimeout).to.equal(real)
  })
})
