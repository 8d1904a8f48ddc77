// Which views are maintained, over logs with and without an index by game and board.

import { expect } from 'chai'
import { ALL_VIEWS, viewsOver } from '../../projections/all.ts'
import { history } from '../../projections/history.ts'
import { createMemoryLog } from '../memory/log.ts'

describe('the views', () => {
  it('have names of their own', () => {
    const names = [...ALL_VIEWS, history].map(({ name }) => name)
    expect(new Set(names).size).to.equal(names.length)
  })

  it('hold the history only over a log that has no index of it', () => {
    expect(viewsOver({ history: createMemoryLog() })).to.equal(ALL_VIEWS)
    expect(viewsOver({ history: null })).to.deep.equal([...ALL_VIEWS, history])
  })
})
