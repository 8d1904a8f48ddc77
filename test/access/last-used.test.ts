// The day of the last use is written once a day, and a vault that fails is left alone for a minute.

import { expect } from 'chai'
import { createLastUsed } from '../../access/last-used.ts'
import { turn } from '../until.ts'

const NOON_MS = Date.parse('2026-11-25T12:00:00Z')
const MINUTE_MS = 60_000

describe('the day of the last use', () => {
  it('is written once a day for each key', async () => {
    const writes: string[] = []
    const stored = async (_: string, id: string, value: Uint8Array) => {
      writes.push(`${id} ${Buffer.from(value)}`)
      return value
    }
    const used = createLastUsed({ putIfAbsent: stored, replace: expect.fail }, 'last-used', () => expect.fail())
    used.note('a', NOON_MS)
    used.note('a', NOON_MS + MINUTE_MS)
    used.note('b', NOON_MS)
    await turn()
    expect(writes).to.deep.equal(['a 2026-11-25', 'b 2026-11-25'])
  })

  it('is not written for a minute after a failure, whatever is used', async () => {
    let tries = 0
    const failures: unknown[] = []
    const refuse = async () => {
      tries++
      throw new Error('the disk is full')
    }
    const used = createLastUsed({ putIfAbsent: refuse, replace: expect.fail }, 'last-used', (error) =>
      failures.push(error),
    )
    for (const [id, afterMs] of [
      ['a', 0],
      ['a', 1],
      ['b', MINUTE_MS - 1],
      ['a', MINUTE_MS],
    ] as const) {
      used.note(id, NOON_MS + afterMs)
      await turn()
    }
    expect([tries, failures.length]).to.deep.equal([2, 2])
  })
})
