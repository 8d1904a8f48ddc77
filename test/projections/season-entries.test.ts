// The documents of seasons that a deletion reads: those of the seasons that it changes, however many submissions stay.

import { expect } from 'chai'
import type { Rules } from '../../domain/board-rules.ts'
import type { StoredEvent } from '../../domain/event.ts'
import type { SeasonRecord } from '../../domain/season-records.ts'
import { type SeasonContext, seasonRefs } from '../../projections/season-entries.ts'
import { seasonsOfRecords } from '../seasons-of-records.ts'
import { positionAt, submission } from './submissions.ts'

/** Season n has the submissions after n × EACH, up to and excluding (n + 1) × EACH. The last season is open. */
const [SEASONS, EACH] = [3, 10]
const END = (SEASONS + 1) * EACH

/** The time of the boundary before season n: `submission` gives the n-th event the time n. */
const timeAt = (n: number): string => new Date(n * EACH).toISOString()
const record = (n: number, rules: Rules): SeasonRecord => ({
  starts: timeAt(n),
  ends: timeAt(n + 1),
  due: timeAt(n + 1),
  opened: positionAt(n * EACH),
  closed: n === SEASONS ? null : { position: positionAt((n + 1) * EACH), time: timeAt(n + 1), generation: 1, rules },
  recorded: false,
})

function seasonsOf(unique: boolean): SeasonContext {
  const rules: Rules = { ordering: 'desc', secondaryOrdering: 'asc', unique, minScore: null, maxScore: null }
  const records = Array.from({ length: SEASONS }, (_, at) => record(at + 1, rules))
  const seasons = { ...seasonsOfRecords(records, { rules }), lacking: [] }
  return { seasons, at: positionAt(END), openGeneration: { generation: 1, rules }, isReplay: false }
}

/** One player's submissions: s1 to s9 before there were seasons, then those of the seasons. */
const SUBMITTED = Array.from({ length: END }, (_, n) => submission(n, 'b1', 1)).filter((_, n) => n % EACH !== 0)

/** The ids of the documents that a deletion at the end of the stream reads. */
function readFor(data: { readonly id: string; readonly upTo: number | null }, unique: boolean): string[] {
  const deleted: StoredEvent = { ...submission(END, 'b1', 1), type: 'ScoreDeleted', data }
  return seasonRefs(deleted, seasonsOf(unique), [...SUBMITTED, deleted]).map(([, id]) => id)
}

describe('the documents of seasons that a deletion reads', () => {
  it('are the entry and the player in its season, where each submission is an entry', () => {
    expect(readFor({ id: 's25', upTo: null }, false)).to.deep.equal(['b1.1.s2.s25', 'b1.1.s2.players.p0'])
    expect(readFor({ id: 's35', upTo: null }, false)).to.deep.equal(['b1.1.s3.s35', 'b1.1.s3.players.p0'])
  })

  it('are none if the submission joined no season, where each submission is an entry', () => {
    expect(readFor({ id: 's1', upTo: null }, false)).to.deep.equal([])
  })

  it('are the player’s entry in its season on a unique board', () => {
    expect(readFor({ id: 's25', upTo: null }, true)).to.deep.equal(['b1.1.s2.p0'])
    expect(readFor({ id: 's2', upTo: null }, true)).to.deep.equal([])
  })

  it('are the player’s entry in every season on a unique board, if the entry began with the submission', () => {
    expect(readFor({ id: 's1', upTo: null }, true)).to.deep.equal(['b1.1.s1.p0', 'b1.1.s2.p0', 'b1.1.s3.p0'])
  })

  it('are all of the player’s if all submissions are deleted', () => {
    expect(readFor({ id: 's1', upTo: END }, true)).to.deep.equal(['b1.1.s1.p0', 'b1.1.s2.p0', 'b1.1.s3.p0'])
    const due = [1, 2, 3].flatMap((season) => [
      ...Array.from({ length: EACH - 1 }, (_, i) => `b1.1.s${season}.s${season * EACH + i + 1}`),
      `b1.1.s${season}.players.p0`,
    ])
    expect(readFor({ id: 's1', upTo: END }, false)).to.deep.equal(due)
  })
})
