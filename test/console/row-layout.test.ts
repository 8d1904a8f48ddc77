import { expect } from 'chai'
import { rowLayout } from '../../console/src/board/row-layout.ts'

/** Widths of the place for the rows, in rem: windows of 360, 768 and 1440 pixels, and 1440 beside a panel. */
const [PHONE, TABLET, DESKTOP, BESIDE_PANEL] = [19.3, 45.9, 71.4, 46]
const SHORT = { score: 6, secondary: 3, finalRank: 0 }
const LONGEST = { score: 67, secondary: 67, finalRank: 0 }

describe('console: rows of a leaderboard', () => {
  it('are lines of a table where the numbers leave a place for the name', () => {
    for (const width of [DESKTOP, BESIDE_PANEL, TABLET])
      expect(rowLayout(width, SHORT)).to.include({ look: '', row: 2.5 })
    expect(rowLayout(DESKTOP, LONGEST)).to.include({ look: 'stacked', row: 3.5 })
  })

  it('are two lines on a phone where the name and the numbers allow', () => {
    for (const digits of [SHORT, { ...SHORT, score: 9, secondary: 0 }])
      expect(rowLayout(PHONE, digits)).to.include({ look: 'stacked', row: 3.5 })
    expect(rowLayout(PHONE, { ...SHORT, score: 40 }).look).to.equal('stacked many-lines')
  })

  it('give a name what the other columns leave of a table, within bounds', () => {
    const names = [46, 50, 56, 120].map((width) => rowLayout(width, SHORT)).filter(({ look }) => look === '')
    expect(names.map(({ name }) => name)).to.satisfy((all: number[]) => all.every((name) => name >= 9 && name <= 20))
    expect(names.at(-1)?.name).to.equal(20)
  })

  it('leave a place for the final rank of a season', () => {
    expect(rowLayout(46, SHORT).look).to.equal('')
    expect(rowLayout(46, SHORT, true)).to.include({ look: 'stacked final-below', row: 4.75 })
    expect(rowLayout(PHONE, LONGEST, true).row).to.equal(rowLayout(PHONE, LONGEST).row + 1.25)
    expect(rowLayout(56, SHORT, true).look).to.equal('')
    const alone = { score: 6, secondary: 0 }
    expect(rowLayout(PHONE, { ...alone, finalRank: 3 }, true)).to.include({ look: 'stacked', row: 3.5 })
    expect(rowLayout(PHONE, { ...alone, finalRank: 9 }, true).look).to.equal('stacked final-below')
  })

  it('have a line for each line that a number needs', () => {
    const rows = [21, 30, 56].map((score) => rowLayout(PHONE, { ...SHORT, score, secondary: 0 }).row)
    expect(rows).to.deep.equal([4.75, 6, 7.25])
    expect(rowLayout(PHONE, LONGEST).row).to.equal(11)
  })

  it('are never lower with longer numbers of the same look', () => {
    for (let width = 15; width < 100; width += 2.5) {
      for (let score = 1; score < 67; score++) {
        const [shorter, longer] = [
          rowLayout(width, { ...SHORT, score, secondary: 9 }),
          rowLayout(width, { ...SHORT, score: score + 1, secondary: 9 }),
        ]
        if (shorter.look === longer.look) expect(longer.row, `${width} ${score}`).to.be.at.least(shorter.row)
      }
    }
  })
})
