// The bars of the charts of the overview: which hours and days they are of, and the scale.

import { expect } from 'chai'
import { dayBars, daysOf, hourBars, topOfScale } from '../../console/src/overview/bars.ts'

const AT = '2026-11-29T13:05:00.000Z'

describe('the bars of the overview', () => {
  it('end with the running hour and the running day', () => {
    expect(hourBars([1, 2, 3], AT).map(({ from, value }) => [from, value])).to.deep.equal([
      ['2026-11-29T11:00:00.000Z', 1],
      ['2026-11-29T12:00:00.000Z', 2],
      ['2026-11-29T13:00:00.000Z', 3],
    ])
    expect(dayBars([4, 5], AT).map(({ from, value }) => [from, value])).to.deep.equal([
      ['2026-11-28T00:00:00.000Z', 4],
      ['2026-11-29T00:00:00.000Z', 5],
    ])
  })

  it('name the days that hours are of', () => {
    const at = new Date(2026, 10, 29, 13, 5).toISOString()
    expect(
      daysOf(
        hourBars(
          Array.from({ length: 24 }, () => 0),
          at,
        ),
      ),
    ).to.match(/^Nov 28\s–\s29$/)
    expect(daysOf(hourBars([1, 2], at))).to.equal('Nov 29')
  })

  it('name days by their date in UTC', () => {
    const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
    expect(dayBars([1], AT)[0]?.name).to.equal(`${day.format(Date.parse(AT))} (UTC)`)
  })

  it('have a scale that ends at 1, 2 or 4 times a power of ten, and not below the highest', () => {
    const tops = [0, 1, 2, 3, 4, 5, 10, 11, 39, 41, 100, 4_001].map(topOfScale)
    expect(tops).to.deep.equal([1, 1, 2, 4, 4, 10, 10, 20, 40, 100, 100, 10_000])
  })
})
