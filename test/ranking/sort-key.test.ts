// Encoded sort keys against the exact order of the contract, modelled with BigInt.

import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import { encodeSortKey, idOfSortKey, type Orderings, type RankedFields } from '../../ranking/sort-key.ts'
import { sized } from '../seeds.ts'

const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

function decimal(text: string): Decimal {
  const value = parseDecimal(text)
  if (value === null) throw new Error(`refused: ${text}`)
  return value
}

const anyDecimal = fc
  .oneof(
    fc.stringMatching(/^-?[1-3]{0,1}[0-2](\.[05]{1,2})?$/).filter((text) => parseDecimal(text) !== null),
    fc.stringMatching(/^-?(0|[1-9][09]{0,29})(\.[019]{1,18})?$/),
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/),
  )
  .map(decimal)
/** With more digits than a score can have. */
const anySum = fc
  .oneof(fc.stringMatching(/^-?[1-9][09]{30,35}(\.[09]{0,17}[19])?$/), fc.stringMatching(/^-?[1-9][0-9]{30,35}$/))
  .map((text) => text as Decimal)
const anyNumber = fc.oneof({ weight: 3, arbitrary: anyDecimal }, { weight: 1, arbitrary: anySum })
const anyTime = fc.oneof(fc.nat(3), fc.constantFrom(0, 2 ** 24 - 1, 2 ** 24, 2 ** 32, MAX_TIME_MS), fc.maxSafeNat())
const anyId = fc.oneof(
  fc.stringMatching(/^[a-b2-3]{1,2}$/),
  fc.stringMatching(/^[a-z2-7]{24}$/),
  fc.stringMatching(/^[!-~]+$/),
)
const hex = (number: bigint) => number.toString(16).padStart(16, '0')
const anyCount = fc
  .oneof(
    fc.bigInt(0n, 3n),
    fc.bigInt(0n, 2n ** 20n),
    fc.constantFrom(63n, 64n, 4_095n, 4_096n, 2n ** 64n - 1n),
    fc.bigInt(0n, 2n ** 64n - 1n),
  )
  .map(hex)
/** Of EventStoreDB: a commit with a prepare that is less, or written as `z`. */
const anyPosition = fc.tuple(anyCount, anyCount).map(([one, other]) => (one < other ? other + one : `${one}z`))
/** Of the embedded log, or of EventStoreDB. */
const anyForm = fc.constantFrom<(fields: RankedFields) => RankedFields>(
  (fields) => ({ ...fields, position: fields.position.slice(0, 16) }),
  (fields) => fields,
)
const anyFields: fc.Arbitrary<RankedFields> = fc.record({
  score: fc.oneof(fc.constantFrom(decimal('1'), decimal('-1'), decimal('10')), anyNumber),
  secondary: fc.option(fc.oneof(fc.constantFrom(decimal('0'), decimal('5')), anyNumber), { freq: 3 }),
  position: anyPosition,
  timeMs: anyTime.map((time) => time % (MAX_TIME_MS + 1)),
  id: anyId,
})
const anyOrderings: fc.Arbitrary<Orderings> = fc.record({
  ordering: fc.constantFrom('asc', 'desc'),
  secondaryOrdering: fc.constantFrom('asc', 'desc'),
})

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const magnitude = BigInt(whole + fraction.padEnd(18, '0'))
  return text.startsWith('-') ? -magnitude : magnitude
}

const compare = <T extends bigint | number | string>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)

function compareScaled(a: string, b: string, ordering: 'asc' | 'desc'): number {
  return compare(scaled(a), scaled(b)) * (ordering === 'asc' ? 1 : -1)
}

/**
 * As docs/protocol.md, section 6: score, secondary (those without after all that have one), the one recorded first.
 * Those of one position, which no two submissions of one log have, by time and id.
 */
function compareFields(a: RankedFields, b: RankedFields, orderings: Orderings): number {
  return (
    compareScaled(a.score, b.score, orderings.ordering) ||
    compare(a.secondary === null ? 1 : 0, b.secondary === null ? 1 : 0) ||
    compareScaled(a.secondary ?? '0', b.secondary ?? '0', orderings.secondaryOrdering) ||
    compare(a.position, b.position) ||
    compare(a.timeMs, b.timeMs) ||
    compare(a.id, b.id)
  )
}

const plain: RankedFields = {
  score: decimal('679625'),
  secondary: null,
  position: '00000000000f4240',
  timeMs: 1_795_244_701_123,
  id: 'a2'.repeat(12),
}
const descending: Orderings = { ordering: 'desc', secondaryOrdering: 'desc' }

describe('encoding a sort key', () => {
  it('orders any two sort keys as the contract does', () => {
    const property = fc.property(anyFields, anyFields, anyForm, anyOrderings, (one, other, formed, orderings) => {
      const [a, b] = [formed(one), formed(other)]
      const order = compare(encodeSortKey(a, orderings), encodeSortKey(b, orderings))
      expect(order).to.equal(compareFields(a, b, orderings))
    })
    fc.assert(property, { numRuns: sized(2_000, 10_000) })
  })

  it('orders two sort keys that differ in one field as the contract does', () => {
    const any = [anyFields, anyFields, anyForm, anyOrderings, fc.nat(4)] as const
    const property = fc.property(...any, (one, different, formed, orderings, part) => {
      const [a, other] = [formed(one), formed(different)]
      const name = (['score', 'secondary', 'position', 'timeMs', 'id'] as const)[part] ?? 'id'
      const b = { ...a, [name]: other[name] }
      const order = compare(encodeSortKey(a, orderings), encodeSortKey(b, orderings))
      expect(order).to.equal(compareFields(a, b, orderings))
    })
    fc.assert(property, { numRuns: sized(2_000, 10_000) })
  })

  it('puts every entry with a secondary score before those without, in either ordering', () => {
    for (const ordering of ['asc', 'desc'] as const) {
      for (const score of ['-12.5', '-1', '0', '3', '1000']) {
        const fields = { ...plain, score: decimal(score) }
        const orderings = { ordering, secondaryOrdering: ordering }
        const without = encodeSortKey(fields, orderings)
        for (const secondary of [`-${'9'.repeat(30)}`, '-1', '0', '1', '9'.repeat(30)]) {
          expect(encodeSortKey({ ...fields, secondary: decimal(secondary) }, orderings) < without).to.equal(true)
        }
      }
    }
  })

  it('produces compact printable ASCII that contains the id', () => {
    const property = fc.property(anyFields, anyOrderings, (fields, orderings) => {
      const sortKey = encodeSortKey(fields, orderings)
      expect(sortKey).to.match(/^[!-~]+$/)
      expect(sortKey.length).to.be.at.most(145 + fields.id.length)
      expect(idOfSortKey(sortKey)).to.equal(fields.id)
    })
    fc.assert(property, { numRuns: 3_000 })
    expect(encodeSortKey(plain, descending)).to.have.length(45)
    expect(encodeSortKey({ ...plain, score: decimal('600000') }, descending)).to.have.length(40)
  })

  it('stays stable across versions, because sort keys are stored in Redis', () => {
    const asc: Orderings = { ordering: 'asc', secondaryOrdering: 'asc' }
    const both = { ...plain, score: decimal('-12.5'), secondary: decimal('0.05'), id: 'id' }
    expect(encodeSortKey({ ...plain, id: 'id' }, descending)).to.equal('I320374~43d900J7lk3G3id')
    expect(encodeSortKey(both, asc)).to.equal('M874}P05!43d900J7lk3G3id')
    expect(encodeSortKey(both, descending)).to.equal('R125!O94}43d900J7lk3G3id')
  })

  it('rejects times and ids that it cannot order', () => {
    for (const timeMs of [-1, 0.5, Number.NaN, MAX_TIME_MS + 1, Number.POSITIVE_INFINITY]) {
      expect(() => encodeSortKey({ ...plain, timeMs }, descending)).to.throw(RangeError)
    }
    for (const id of ['a b', 'a\n', 'é', '\u0000', 'a'.repeat(256), '\u{1f600}']) {
      expect(() => encodeSortKey({ ...plain, id }, descending)).to.throw(RangeError)
    }
  })
})
