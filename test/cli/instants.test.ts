// Times as people type them at the command line.

import { expect } from 'chai'
import { instantOf } from '../../cli/instants.ts'

const NOW = '2026-11-20T12:34:56.789Z'
const instant = (text: string) => instantOf(text, Date.parse(NOW))

describe('an instant of the command line', () => {
  it('is counted back from now for yesterday and for ages', () => {
    for (const [text, expected] of [
      ['yesterday', '2026-11-19T12:34:56.789Z'],
      ['90m', '2026-11-20T11:04:56.789Z'],
      ['12h', '2026-11-20T00:34:56.789Z'],
      ['7d', '2026-11-13T12:34:56.789Z'],
      ['2w', '2026-11-06T12:34:56.789Z'],
      ['0d', NOW],
      ['999999w', '1970-01-01T00:00:00.000Z'],
    ] as const)
      expect(instant(text), text).to.equal(expected)
  })

  it('is the end of a date, or now if that day is running', () => {
    expect(instant('2026-11-13')).to.equal('2026-11-13T23:59:59.999Z')
    expect(instant('2026-11-20')).to.equal(NOW)
    expect(instant('2026-11-21')).to.equal('2026-11-21T23:59:59.999Z')
  })

  it('goes to the server as it is if it is anything else', () => {
    for (const text of ['2026-11-13T07:00:00+01:00', '2026-02-31', '7', '7y', 'tomorrow', ''])
      expect(instant(text), text).to.equal(text)
  })
})
