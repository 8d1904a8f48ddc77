import { expect } from 'chai'
import type { z } from 'zod'
import { instant, name, permissionString, sinceInstant, untilInstant } from '../../http/fields.ts'

const outcome = (schema: z.ZodType, value: unknown) => {
  const result = schema.safeParse(value)
  return result.success ? result.data : null
}

describe('fields', () => {
  const TIMES: readonly (readonly [string, string | null])[] = [
    ['2026-11-21T07:05:01Z', '2026-11-21T07:05:01.000Z'],
    ['2026-11-21T07:05:01.1239Z', '2026-11-21T07:05:01.123Z'],
    ['2026-11-21T07:05:01+05:30', '2026-11-21T01:35:01.000Z'],
    ['2026-01-01T00:00:00-23:59', '2026-01-01T23:59:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2023-02-29T00:00:00Z', null],
    ['2026-04-31T00:00:00Z', null],
    ['2026-13-01T00:00:00Z', null],
    ['2026-00-01T00:00:00Z', null],
    ['2026-01-00T00:00:00Z', null],
    ['0000-01-01T00:00:00Z', null],
    ['2026-11-21T24:00:00Z', null],
    ['2026-11-21T07:05:60Z', null],
    ['2026-11-21T07:05:01', null],
    ['2026-11-21T07:05Z', '2026-11-21T07:05:00.000Z'],
    ['2026-11-21t07:05:01z', '2026-11-21T07:05:01.000Z'],
    ['2026-11-21T07:05+01', '2026-11-21T06:05:00.000Z'],
    ['2026-11-21t07:05-0130', '2026-11-21T08:35:00.000Z'],
    ['2026-11-21T07:05:01.5+0100', '2026-11-21T06:05:01.500Z'],
    ['2026-11-21T07:05:01-00:00', '2026-11-21T07:05:01.000Z'],
    ['2026-01-01T00:00+23:59', '2025-12-31T00:01:00.000Z'],
    ['2026-11-21T07:05', null],
    ['2026-11-21T07Z', null],
    ['2026-11-21T07:05.5Z', null],
    ['2026-11-21T07:05+1', null],
    ['2026-11-21T07:05+01:', null],
    ['2026-11-21T07:05+24', null],
    ['2026-11-21T07:05+0160', null],
    ['2026-11-21T07:05+01:00:00', null],
    ['2026-11-21T07:05Z+01', null],
    ['20261121T0705Z', null],
    ['2026-11-21T07:05:01 05:30', null],
    ['2026-11-21 07:05:01Z', null],
    ['2026-11-21', null],
    ['9999-12-31T23:59:59-01:00', null],
    ['1766300701', null],
  ]
  for (const [text, expected] of TIMES) {
    it(`parses the instant ${text}: ${expected}`, () => expect(outcome(instant, text)).to.equal(expected))
  }

  it('treats a bare date as the start or the end of a range', () => {
    expect(outcome(sinceInstant, '2026-11-21')).to.equal('2026-11-21T00:00:00.000Z')
    expect(outcome(untilInstant, '2026-12-31')).to.deep.equal({ before: '2027-01-01T00:00:00.000Z', wholeDay: true })
    expect(outcome(untilInstant, '9999-12-31')).to.deep.equal({ before: '9999-12-31T23:59:59.999Z', wholeDay: true })
    expect(outcome(untilInstant, '2023-02-29')).to.equal(null)
    expect(outcome(untilInstant, '2026-11-21T00:00:00Z')).to.deep.equal({
      before: '2026-11-21T00:00:00.000Z',
      wholeDay: false,
    })
  })

  it('accepts names of 1 to 64 code points after NFC, without control or bidi characters or spaces at the ends', () => {
    expect(outcome(name, 'A\u030a')).to.equal('\u00c5')
    expect(outcome(name, '\u{1f600}'.repeat(64))).to.equal('\u{1f600}'.repeat(64))
    expect(outcome(name, 'e\u0301'.repeat(64))).to.equal('\u00e9'.repeat(64))
    const refused = [
      '',
      'a'.repeat(65),
      '\u{1f600}'.repeat(65),
      'a\u0000',
      'a\u0085b',
      'a\u202eb',
      'a\u2066b',
      'a\u200fb',
      ' a',
      'a ',
      'a\u00a0',
      '\ufeffa',
      'a\u200bb',
      '\u0301',
      5,
      null,
    ]
    for (const text of refused) expect([text, outcome(name, text)]).to.deep.equal([text, null])
  })

  it('accepts permissions of parts joined by colons', () => {
    for (const text of ['submit_for', 'lb:*:submit', 'gm:a-B_9:*'])
      expect(outcome(permissionString, text)).to.equal(text)
    for (const text of ['', ':', 'a:', 'a::b', 'a*', 'a:**', 'a|b', 'é', 'a'.repeat(129)]) {
      expect([text, outcome(permissionString, text)]).to.deep.equal([text, null])
    }
  })
})
