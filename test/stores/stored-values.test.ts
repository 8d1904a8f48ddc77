// Times of the embedded read models are written as `toISOString` writes them.

import { expect } from 'chai'
import fc from 'fast-check'
import { decodeTime, encodeTime } from '../../stores/embedded/stored-values.ts'

const FIRST = '0000-01-01T00:00:00.000Z'
const LAST = '9999-12-31T23:59:59.999Z'

describe('a stored time', () => {
  it('comes back as it was, and is an integer that grows with it by a millisecond', () => {
    const dates = fc.date({ min: new Date(FIRST), max: new Date(LAST), noInvalidDate: true })
    fc.assert(
      fc.property(dates, (date) => {
        const stored = encodeTime(date.toISOString()) ?? Number.NaN
        expect(decodeTime(stored)).to.equal(date.toISOString())
        expect(stored - (encodeTime(FIRST) ?? Number.NaN)).to.equal(date.getTime() - Date.parse(FIRST))
      }),
      {
        numRuns: 5_000,
        examples: [FIRST, LAST, '2024-02-29T23:59:59.999Z', '1970-01-01T00:00:00.000Z'].map((text) => [new Date(text)]),
      },
    )
    expect(encodeTime(FIRST)).to.equal(1)
  })

  it('is none for other texts', () => {
    const others = [
      '',
      '2026',
      '2026-11-21',
      '2026-11-21T07:05:01Z',
      '2026-02-30T00:00:00.000Z',
      '2026-11-21T24:00:00.000Z',
    ]
    const farther = [
      '-000001-12-31T23:59:59.999Z',
      '+010000-01-01T00:00:00.000Z',
      '2026-11-21T07:05:01.123+00:00',
      ' 2026-11-21T07:05:01.123Z',
    ]
    for (const text of [...others, ...farther]) expect(encodeTime(text), text).to.equal(undefined)
  })
})
