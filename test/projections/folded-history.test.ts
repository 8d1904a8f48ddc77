// A folded history cut into ranges: which pages and entries belong to a range, and what is read for them.

import { expect } from 'chai'
import type { Decimal } from '../../domain/decimal.ts'
import { type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { FoldedHistory, pageOf } from '../../projections/folded-history.ts'
import type { BoardFold } from '../../ranking/board-fold/board-fold.ts'
import type { EntryRow } from '../../ranking/board-fold/row.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import type { History } from '../../stores/contract/history.ts'
import { positionAt, storesOf, submission } from './submissions.ts'

const RULES = { ordering: 'desc', secondaryOrdering: 'asc', unique: true, minScore: null, maxScore: null } as const

/** The row of the entry that shows the n-th submission. */
function rowOf(n: number, players: number, more: Partial<EntryRow> = {}): EntryRow {
  const { meta, data, revision, position } = submission(n, 'b1', players)
  const sent = { score: String(data.score) as Decimal, secondary: null, position, time: meta.time }
  const id = String(data.id)
  const own = { player: meta.player ?? '', sortKey: sortKeyOf(sent, id, RULES), revision, id, shownId: null }
  return { ...own, bare: false, addedMs: null, ...more }
}

interface Row {
  readonly page: number
  /** Null: the slot of an entry that was removed. */
  readonly own: EntryRow | null
}

/** Page i ends with the event of number `ends[i]` and has all events after the page before. */
async function folded(events: readonly StoredEvent[], ends: readonly number[], rows: readonly Row[]) {
  const stores = storesOf(events)
  const parts: [unknown, string | null, number][] = []
  const part: History['part'] = (filter, after, limit) => {
    parts.push([filter, after, limit])
    return stores.history.part(filter, after, limit)
  }
  const fold = {
    rules: RULES,
    pages: { at: (slot: number) => rows[slot]?.page },
    rows: {
      length: rows.length,
      isThere: (slot: number) => rows[slot]?.own !== null,
      own: (slot: number) => rows[slot]?.own,
    },
  }
  const pages = ends.map((end, page) => ({
    end: { stream: 's', revision: end },
    endAt: positionAt(end),
    events: end - (ends[page - 1] ?? -1),
  }))
  const history = await FoldedHistory.of({
    log: stores.log,
    part,
    board: 'b1',
    pages,
    fold: unsafeCast<BoardFold>(fold),
    broken: null,
  })
  const players = async (after: number | null, upTo: number) => {
    const states = await history.entryStates(after === null ? null : positionAt(after), positionAt(upTo))
    return states.map(({ player }) => player)
  }
  return { history, players, parts, reads: stores.reads }
}

const submissions = (count: number, players: number, more = {}) =>
  Array.from({ length: count }, (_, n) => submission(n, 'b1', players, more))

describe('the page of a position', () => {
  it('is the first that ends at or after it, or else the one after the last', () => {
    const pages = ['10', '20', '30'].map((endAt) => ({ end: { stream: 's', revision: 0 }, endAt, events: 1 }))
    const found = ['05', '10', '11', '20', '21', '30', '31'].map((position) => pageOf(pages, position))
    expect(found).to.deep.equal([0, 0, 1, 1, 2, 2, 3])
    expect(pageOf([], '05')).to.equal(0)
  })
})

describe('the ranges of a folded history', () => {
  /** Pages of 10, 20 and 5 events that show two, no and three entries. */
  const threePages = () => {
    const rows = [
      { page: 2, own: rowOf(30, 35) },
      { page: 0, own: rowOf(1, 35) },
      { page: 1, own: null },
      { page: 2, own: rowOf(34, 35) },
      { page: 0, own: rowOf(9, 35) },
      { page: 2, own: rowOf(31, 35) },
    ]
    return folded(submissions(35, 35), [9, 29, 34], rows)
  }
  const upTo = (revision: number, events: number) => ({ upTo: { stream: 's', revision }, events })

  it('are none if the history is empty', async () => {
    const { history } = await folded([], [], [])
    expect([history.events, history.end, history.next(null, 10)]).to.deep.equal([0, null, null])
    expect(await history.entryStates(null, '~')).to.deep.equal([])
  })

  it('take whole pages while their entries are at most the number asked for', async () => {
    const { history } = await threePages()
    expect([history.events, history.end]).to.deep.equal([
      35,
      { event: { stream: 's', revision: 34 }, position: positionAt(34) },
    ])
    expect(history.next(null, 5)).to.deep.equal(upTo(34, 35))
    expect(history.next(null, 4)).to.deep.equal(upTo(29, 30))
    expect(history.next(null, 2)).to.deep.equal(upTo(29, 30))
  })

  it('have at least one page, even with more entries than asked for', async () => {
    const { history } = await threePages()
    expect(history.next(null, 1)).to.deep.equal(upTo(9, 10))
    expect(history.next(positionAt(29), 1)).to.deep.equal(upTo(34, 5))
  })

  it('begin with the page of the next event, and end with the history', async () => {
    const { history } = await threePages()
    expect(history.next(positionAt(9), 0)).to.deep.equal(upTo(29, 20))
    expect(history.next(positionAt(8), 2)).to.deep.equal(upTo(29, 30))
    expect(history.next(positionAt(33), 3)).to.deep.equal(upTo(34, 5))
    expect(history.next(positionAt(34), 3)).to.equal(null)
    expect(history.next(positionAt(35), 3)).to.equal(null)
  })

  it('have at most 50,000 events', async () => {
    const { history } = await folded([], [29_999, 49_999, 50_000, 150_000], [])
    expect(history.next(null, 10)).to.deep.equal(upTo(49_999, 50_000))
    expect(history.next(positionAt(49_999), 10)).to.deep.equal(upTo(50_000, 1))
    expect(history.next(positionAt(50_000), 10)).to.deep.equal(upTo(150_000, 100_000))
  })

  it('contain each entry in the page of the submission that it shows, without removed ones', async () => {
    const { players } = await threePages()
    expect(await players(null, 9)).to.deep.equal(['p1', 'p9'])
    expect(await players(9, 29)).to.deep.equal([])
    expect(await players(29, 34)).to.deep.equal(['p30', 'p34', 'p31'])
    expect(await players(null, 99)).to.deep.equal(['p1', 'p9', 'p30', 'p34', 'p31'])
    expect(await players(34, 99)).to.deep.equal([])
  })

  it('exclude the submission that they begin after and include the one that they end at', async () => {
    const { players } = await threePages()
    expect(await players(null, 1)).to.deep.equal(['p1'])
    expect(await players(null, 0)).to.deep.equal([])
    expect(await players(1, 30)).to.deep.equal(['p9', 'p30'])
    expect(await players(0, 8)).to.deep.equal(['p1'])
    expect(await players(30, 31)).to.deep.equal(['p31'])
    expect(await players(31, 34)).to.deep.equal(['p34'])
  })
})

describe('the entries of a folded history', () => {
  it('are returned without a read if their rows contain everything', async () => {
    const rows = [
      { page: 0, own: rowOf(0, 4, { bare: true }) },
      { page: 0, own: rowOf(1, 4, { sortKey: null, addedMs: 1 }) },
      { page: 0, own: rowOf(2, 4) },
    ]
    const { players, reads, parts } = await folded(submissions(4, 4), [3], rows)
    expect(await players(null, 3)).to.deep.equal(['p0', 'p1', 'p2'])
    expect([reads.events, parts]).to.deep.equal([['lb_b1-p2 0'], []])
  })

  it('are all read if the range begins or ends inside their page', async () => {
    const rows = [0, 1, 4, 5].map((n) => ({ page: Math.floor(n / 4), own: rowOf(n, 8, { bare: true }) }))
    const read = async (after: number | null, upTo: number) => {
      const { players, reads } = await folded(submissions(8, 8), [3, 7], rows)
      return [await players(after, upTo), reads.events]
    }
    expect(await read(null, 7)).to.deep.equal([['p0', 'p1', 'p4', 'p5'], []])
    expect(await read(3, 7)).to.deep.equal([['p4', 'p5'], []])
    expect(await read(0, 7)).to.deep.equal([
      ['p1', 'p4', 'p5'],
      ['lb_b1-p0 0', 'lb_b1-p1 0'],
    ])
    expect(await read(3, 4)).to.deep.equal([['p4'], ['lb_b1-p4 0', 'lb_b1-p5 0']])
  })

  it('count as at the end of their page if the log no longer has the submission', async () => {
    const rows = [{ page: 0, own: rowOf(0, 4) }]
    const { players } = await folded([], [3], rows)
    expect([await players(null, 2), await players(null, 3), await players(2, 3)]).to.deep.equal([[], ['p0'], ['p0']])
  })

  /** What is read for this many entries of a second page of this many events. */
  async function readsFor(entries: number, events: number) {
    const all = submissions(10 + events, 10 + events, { extra: '{"a":1}' })
    const rows = Array.from({ length: entries }, (_, n) => ({ page: 1, own: rowOf(10 + n, 10 + events) }))
    const { history, parts, reads } = await folded(all, [9, 9 + events], rows)
    const states = await history.entryStates(positionAt(9), positionAt(9 + events))
    expect(states.map(({ id, shown }) => [id, shown?.extra])).to.deep.equal(rows.map(({ own }) => [own.id, '{"a":1}']))
    return { parts, events: reads.events.length }
  }

  it('are read with their whole page if it has more than 16 of them', async () => {
    expect(await readsFor(17, 50)).to.deep.equal({ parts: [[{ board: 'b1' }, positionAt(9), 50]], events: 0 })
    expect(await readsFor(16, 50)).to.deep.equal({ parts: [], events: 16 })
    expect(await readsFor(16, 16)).to.deep.equal({ parts: [], events: 16 })
  })

  it('are read with the first page from the beginning of the history', async () => {
    const rows = Array.from({ length: 17 }, (_, n) => ({ page: 0, own: rowOf(n, 17) }))
    const { players, parts } = await folded(submissions(17, 17), [16], rows)
    expect(await players(null, 16)).to.have.length(17)
    expect(parts).to.deep.equal([[{ board: 'b1' }, null, 17]])
  })

  it('have the fields of the sort key, and extra data and name of the submission', async () => {
    const event = submission(2, 'b1', 3, { extra: '{"a":1}', playerName: 'Ada' })
    const shown = { score: '102', secondary: null, extra: '{"a":1}', playerName: 'Ada' }
    const own = rowOf(2, 3)
    const { history } = await folded([event], [2], [{ page: 0, own }])
    const state = { player: 'p2', id: 's2', time: event.meta.time, revision: 0, shown, sortKey: own.sortKey }
    expect(await history.entryStates(null, '~')).to.deep.equal([{ ...state, firstSubmission: null }])
  })

  it('name the submission that they began with if they show another one', async () => {
    const { sortKey } = rowOf(2, 3)
    const first = async (more: Partial<EntryRow>) => {
      const { history } = await folded([], [2], [{ page: 0, own: rowOf(2, 3, { bare: true, sortKey, ...more }) }])
      const [state] = await history.entryStates(null, '~')
      return [state?.id, state?.time, state?.firstSubmission]
    }
    const [shownAt, addedAt] = [new Date(2).toISOString(), new Date(1).toISOString()]
    expect(await first({})).to.deep.equal(['s2', shownAt, null])
    expect(await first({ addedMs: 1 })).to.deep.equal(['s2', shownAt, { id: 's2', added: addedAt }])
    expect(await first({ shownId: 's9' })).to.deep.equal(['s9', shownAt, { id: 's2', added: shownAt }])
    expect(await first({ addedMs: 1, shownId: 's9' })).to.deep.equal(['s9', shownAt, { id: 's2', added: addedAt }])
  })

  it('show nothing and have the time that they began if no submission is inside the bounds', async () => {
    const own = rowOf(2, 3, { sortKey: null, addedMs: 1 })
    const { history } = await folded([], [2], [{ page: 0, own }])
    const time = new Date(1).toISOString()
    expect(await history.entryStates(null, '~')).to.deep.equal([
      {
        player: 'p2',
        firstSubmission: { id: 's2', added: time },
        id: 's2',
        time,
        revision: 0,
        shown: null,
        sortKey: null,
      },
    ])
  })
})
