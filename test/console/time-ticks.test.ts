// The labels of the axis of time of a chart.

import { expect } from 'chai'
import { timeTicks } from '../../console/src/board/time-ticks.ts'

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/** Midnight in the zone of the test. */
const MIDNIGHT_S = new Date(2026, 10, 28).getTime() / 1_000

const ticks = (from: number, step: number, count: number) => Array.from({ length: count }, (_, at) => from + at * step)
const linesOf = (labels: readonly string[]) => labels.map((label) => label.split('\n'))

describe('the labels of an axis of time', () => {
  it('have the date below the first tick of each day, over two days', () => {
    const step = 6 * HOUR_S
    expect(linesOf(timeTicks(ticks(MIDNIGHT_S + 3 * step, step, 6), step))).to.deep.equal([
      ['6:00 PM', 'Nov 28'],
      ['12:00 AM', 'Nov 29'],
      ['6:00 AM'],
      ['12:00 PM'],
      ['6:00 PM'],
      ['12:00 AM', 'Nov 30'],
    ])
  })

  it('have the date once within a day, also with seconds', () => {
    expect(linesOf(timeTicks(ticks(MIDNIGHT_S, 10, 2), 10))).to.deep.equal([['12:00:00 AM', 'Nov 28'], ['12:00:10 AM']])
  })

  it('are dates over days, and months over years', () => {
    expect(timeTicks(ticks(MIDNIGHT_S, DAY_S, 2), DAY_S)).to.deep.equal(['Nov 28', 'Nov 29'])
    expect(timeTicks(ticks(MIDNIGHT_S, 200 * DAY_S, 3), 200 * DAY_S)).to.deep.equal([
      'Nov 2026',
      'Jun 2027',
      'Jan 2028',
    ])
  })
})
