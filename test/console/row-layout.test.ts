import { expect } from 'chai'
import { rowLayout } from '../../console/src/board/row-layout.ts'

/** Widths of the place for the rows, in rem: windows of 360, 768 and 1440 pixels. */
const [PHONE, TABLET, DESKTOP] = [20.4, 45.9, 71.4]
const SHORT = { score: 6, secondary: 3 }
const LONGEST = { score: 56, secondary: 56 }

describe('console: rows of a leaderboard', () => {
  it('are lines of a table where the numbers leave a place for the name', () => {
    expect(rowLayout(DESKTOP, SHORT)).to.include({ look: '', row: 2.5 })
    expect(rowLayout(DESKTOP, LONGEST).look).to.equal('stacked')
    expect(rowLayout(TABLET, SHORT).look).to.equal('stacked tight')
    expect(rowLayout(PHONE, SHORT).look).to.equal('stacked tight')
  })

  it('give a name what the other columns leave of a table, within bounds', () => {
    const names = [60, 64, 68, 120].map((width) => rowLayout(width, SHORT)).filter(({ look }) => look === '')
    expect(names.map(({ name }) => name)).to.satisfy((all: number[]) => all.every((name) => name >= 9 && name <= 15))
    expect(names.at(-1)?.name).to.equal(15)
  })

  it('have a line more for each line that a number needs', () => {
    const rows = [1, 20, 56].map((score) => rowLayout(PHONE, { score, secondary: 0 }).row)
    expect(rows).to.deep.equal([6.75, 6.75, 8])
    expect(rowLayout(PHONE, SHORT).row).to.equal(6.75)
    expect(rowLayout(PHONE, LONGEST).row).to.equal(10.5)
    expect(rowLayout(DESKTOP, LONGEST).row).to.equal(4.25)
  })

  it('are never lower with longer numbers of the same look', () => {
    for (let width = 15; width < 100; width += 2.5) {
      for (let score = 1; score < 56; score++) {
        const [shorter, longer] = [
          rowLayout(width, { score, secondary: 9 }),
          rowLayout(width, { score: score + 1, secondary: 9 }),
        ]
        if (shorter.look === longer.look) expect(longer.row, `${width} ${score}`).to.be.at.least(shorter.row)
      }
    }
  })
})
