// The query parameters that GET scores accepts, and the refusals, which name the parameter.

import { expect } from 'chai'
import { type BoardFixture, openBoardFixture } from './board-fixture.ts'

describe('the query of a list of scores', () => {
  let fixture: BoardFixture

  before(async () => {
    fixture = await openBoardFixture()
  })
  beforeEach(() => fixture.freshBoard())

  const malformed: [string, string][] = [
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['limit=1e1', '/limit'],
    ['limit=%2B1', '/limit'],
    ['limit=', '/limit'],
    ['limit=1&limit=2', '/limit'],
    ['offset=-1', '/offset'],
    ['offset=1000000001', '/offset'],
    ['page=0', '/page'],
    ['order=BEST', '/order'],
    ['window=all', '/window'],
    ['nothing=1', '/nothing'],
    ['since=2026-02-30', '/since'],
    ['since=2026-01-01T00:00:00', '/since'],
    ['since=2026-01-03&until=2026-01-01', '/since'],
    ['since=2026-01-01T00:00:00.001Z&until=2026-01-01T00:00:00Z', '/since'],
    ['min_score=2&max_score=1', '/min_score'],
    ['min_score=1e3', '/min_score'],
    ['player_name=', '/player_name'],
    ['player=', '/player'],
    ['around=x&page=1', '/around'],
    ['around=x&offset=0', '/around'],
    ['around=x&player=y', '/around'],
    ['around=x&order=worst', '/around'],
  ]
  for (const [query, pointer] of malformed) {
    it(`refuses ${query} with 400 and names ${pointer}`, async () => {
      const answer = await fixture.list(`?${query}`)
      expect([answer.status, answer.body.errors[0].pointer]).to.deep.equal([400, pointer])
    })
  }

  for (const query of [
    'around=x&order=best',
    'since=2026-01-01&until=2026-01-01',
    'min_score=1&max_score=1.0',
    'page=1000000000&limit=100',
    'offset=1000000000',
    'since=2024-02-29T23:59:60Z'.replace(':60Z', ':59Z'),
    'since=2026-01-01T00:00:00%2B14:00',
    'until=9999-12-31',
  ]) {
    it(`accepts ${query}`, async () => {
      expect((await fixture.list(`?${query}`)).status).to.equal(200)
    })
  }
})
