// The calls with an Idempotency-Key that a stream remembers, while clocks are right and wrong.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { CALLS_REMEMBERED_MS, Calls } from '../../commands/calls.ts'
import { someEvent } from '../contracts/events.ts'

const BEGAN_MS = Date.parse('2026-11-01T00:00:00.000Z')
const HOUR_MS = 3_600_000
const HOURS_REMEMBERED = CALLS_REMEMBERED_MS / HOUR_MS

const metaOf = (command: string, timeMs: number) => ({
  ...someEvent().meta,
  ...{ command, call: 'call', time: new Date(timeMs).toISOString() },
})

describe('the remembered calls of a stream', () => {
  for (const [what, firstMs] of [
    ['by right clocks', BEGAN_MS],
    ['after one that a clock ahead dated in 2030', Date.parse('2030-01-01T00:00:00.000Z')],
  ] as const) {
    it(`are those of ${HOURS_REMEMBERED} hours, ${what}`, () => {
      const calls = new Calls()
      calls.note(metaOf('first', firstMs), BEGAN_MS)
      const last = 3 * HOURS_REMEMBERED
      for (let hour = 1; hour <= last; hour += 1) {
        const nowMs = BEGAN_MS + hour * HOUR_MS
        calls.note(metaOf(`hour ${hour}`, nowMs), nowMs)
      }
      expect(calls.size).to.equal(HOURS_REMEMBERED + 1)
      expect(calls.get(`hour ${last - HOURS_REMEMBERED}`)).to.equal('call')
      expect(calls.get('first')).to.equal(undefined)
    })
  }
})
