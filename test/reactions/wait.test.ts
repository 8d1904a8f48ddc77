// How long a reaction waits for the age of an event.

import { expect } from 'chai'
import { waitForAge } from '../../reactions/wait.ts'

const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')
const AGE_MS = 20

const recordedAt = (ms: number) => ({ meta: { time: new Date(ms).toISOString() } }) as Parameters<typeof waitForAge>[0]

/** Milliseconds that the wait took by a clock that advances by one with each reading. */
async function waited(eventMs: number): Promise<number> {
  let nowMs = NOW_MS
  const now = () => nowMs++
  expect(await waitForAge(recordedAt(eventMs), now, new AbortController().signal, AGE_MS)).to.equal(true)
  return nowMs - NOW_MS
}

describe('waiting for the age of an event', () => {
  it('ends when the event is that old, at once for an older one', async () => {
    expect(await waited(NOW_MS - AGE_MS)).to.be.lessThan(5)
    expect(await waited(NOW_MS - AGE_MS / 2)).to.be.within(AGE_MS / 2, AGE_MS)
  })

  it('takes no longer if a clock that was years ahead dated the event', async () => {
    expect(await waited(Date.UTC(2030, 0, 1))).to.be.within(AGE_MS, AGE_MS + 5)
  })
})
