// The fields that a sort key was encoded from are decoded exactly, whatever the orderings.

import { expect } from 'chai'
import type { Decimal } from '../../domain/decimal.ts'
import { encodeSortKey, fieldsOfSortKey } from '../../ranking/sort-key.ts'

const DECIMALS = ['0', '1', '-1', '10', '-10', '100.5', '-100.5', '0.5', '-0.05', '0.000000000000000001'].concat([
  `${'9'.repeat(30)}.${'9'.repeat(18)}`,
  `-${'9'.repeat(30)}.${'9'.repeat(18)}`,
  `1${'0'.repeat(29)}`,
  // Sums.
  `${'9'.repeat(36)}.${'9'.repeat(18)}`,
  `-${'9'.repeat(36)}.${'9'.repeat(18)}`,
  `1${'0'.repeat(35)}`,
  `-1${'0'.repeat(30)}.5`,
  '-7000',
  '909.0909',
])
/** Of the embedded log, of EventStoreDB, and of both after a restore. */
const POSITIONS = [
  '0000000000000001',
  'ffffffffffffffff',
  '00000000000000ffz',
  '000000000000100000000000000000fe',
  '0000000000000a00-0123456789ab',
  '0000000000000000z-ffffffffffff',
]
const TIMES = [0, 1, 1_763_000_000_123, 253_402_300_799_999]

describe('the fields of a sort key', () => {
  it('are decoded exactly as they were encoded, except for the position', () => {
    let tried = 0
    for (const ordering of ['asc', 'desc'] as const) {
      for (const secondaryOrdering of ['asc', 'desc'] as const) {
        for (const score of DECIMALS as Decimal[]) {
          for (const secondary of [null, ...DECIMALS] as (Decimal | null)[]) {
            const timeMs = TIMES[tried++ % TIMES.length] as number
            const fields = { score, secondary, timeMs, id: `id${tried}` }
            const position = POSITIONS[tried % POSITIONS.length] as string
            const sortKey = encodeSortKey({ ...fields, position }, { ordering, secondaryOrdering })
            expect(fieldsOfSortKey(sortKey, { ordering, secondaryOrdering })).to.deep.equal(fields)
          }
        }
      }
    }
  })
})
