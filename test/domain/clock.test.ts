// The time of an event and the bounds of a clock that is behind, to the millisecond.

import { expect } from 'chai'
import { behindMs, clockWarning, eventTime, REFUSED_BEHIND_MS } from '../../domain/clock.ts'

const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')
const at = (offsetMs: number) => new Date(NOW_MS + offsetMs).toISOString()

describe('the time of an event', () => {
  it('has whole milliseconds, also of a clock that has parts of them', () => {
    expect(eventTime(Date.parse('2026-11-21T07:05:01.123Z') + 0.75)).to.equal('2026-11-21T07:05:01.123Z')
  })

  it('is the clock if its stream has no event or only earlier ones', () => {
    expect(eventTime(NOW_MS)).to.equal(at(0))
    expect(eventTime(NOW_MS, '')).to.equal(at(0))
    for (const ms of [-1, -59_999, -60_001, -86_400_000]) expect(eventTime(NOW_MS, at(ms)), String(ms)).to.equal(at(0))
  })

  it('is the last time of its stream if that is later by at most 60 s', () => {
    for (const ms of [0, 1, 59_999, 60_000]) expect(eventTime(NOW_MS, at(ms)), String(ms)).to.equal(at(ms))
    for (const ms of [60_001, 86_400_000, 4e12]) expect(eventTime(NOW_MS, at(ms)), String(ms)).to.equal(at(0))
  })

  it('is the latest of several times, each within the bound by itself', () => {
    expect(eventTime(NOW_MS, at(40_000), at(50_000), '')).to.equal(at(50_000))
    expect(eventTime(NOW_MS, at(40_000), at(90_000))).to.equal(at(40_000))
    expect(eventTime(NOW_MS, at(90_000), at(-1))).to.equal(at(0))
  })
})

describe('a clock that is behind the newest event', () => {
  it('is behind by no time if it is ahead or the log is empty', () => {
    expect([behindMs(NOW_MS, null), behindMs(NOW_MS, at(0)), behindMs(NOW_MS, at(-5))]).to.deep.equal([0, 0, 0])
    expect(behindMs(NOW_MS, at(7))).to.equal(7)
  })

  it('is reported with both times from more than a minute on', () => {
    expect([
      clockWarning(NOW_MS, null),
      clockWarning(NOW_MS, at(59_999)),
      clockWarning(NOW_MS, at(60_000)),
    ]).to.deep.equal([null, null, null])
    expect(clockWarning(NOW_MS, at(60_001))).to.equal(
      'the clock is at 2026-11-21T07:05:01.123Z, 60 seconds behind the newest event, of 2026-11-21T07:06:01.124Z',
    )
    expect(clockWarning(NOW_MS, at(REFUSED_BEHIND_MS))).to.include(', 24 hours behind')
    expect(clockWarning(NOW_MS, '2030-01-01T00:00:00.000Z')).to.include(', 1,136 days behind').and.include('of 2030-01')
  })
})
