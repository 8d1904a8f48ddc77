// The limits of what a sort key can hold, exactly.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Decimal } from '../../domain/decimal.ts'
import { encodeSortKey, idOfSortKey, timeOfSortKey } from '../../ranking/sort-key.ts'

const MAX_TIME_MS = 253_402_300_799_999
const encode = (timeMs: number, id: string, position = '0000000000000001') =>
  encodeSortKey(
    { score: '1' as Decimal, secondary: null, position, timeMs, id },
    { ordering: 'desc', secondaryOrdering: 'desc' },
  )

describe('a sort key', () => {
  it('holds an id of up to 255 printable ASCII characters', () => {
    for (const id of ['', '!', '~', 'a'.repeat(255)]) expect(idOfSortKey(encode(0, id))).to.equal(id)
    expect(() => encode(0, 'a'.repeat(256))).to.throw(RangeError, 'an id of 256 characters cannot be ranked')
    for (const id of [' ', '\u007f', 'é', 'a b']) {
      expect(() => encode(0, id)).to.throw(RangeError, 'a ranked id must be printable ASCII')
    }
  })

  it('holds a position of any log, and nothing else', () => {
    for (const position of [
      '0'.repeat(16),
      'f'.repeat(16),
      `${'f'.repeat(16)}z`,
      'f'.repeat(32),
      `${'f'.repeat(32)}-0`,
    ]) {
      expect(timeOfSortKey(encode(7, 'a', position))).to.equal(7)
      expect(idOfSortKey(encode(7, 'a', position))).to.equal('a')
    }
    for (const position of ['', '1', 'f'.repeat(15), 'F'.repeat(16), `${'0'.repeat(15)}g`, `${'0'.repeat(16)}1`]) {
      expect(() => encode(0, 'a', position)).to.throw(RangeError, `"${position}" is not a position of a log`)
    }
  })

  it('holds a time from 1970 to 9999, in whole milliseconds', () => {
    for (const time of [0, 1, 2 ** 24 - 1, 2 ** 24, MAX_TIME_MS])
      expect(timeOfSortKey(encode(time, 'a'))).to.equal(time)
    for (const time of [-1, 0.5, MAX_TIME_MS + 1, Number.NaN]) {
      expect(() => encode(time, 'a')).to.throw(
        RangeError,
        `a ranked time must be whole milliseconds from 1970 to 9999, not ${time}`,
      )
    }
  })
})
