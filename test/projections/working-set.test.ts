// The documents of a view while a batch is applied: what is loaded once, what an event changes, and what is then
// written.

import { expect } from 'chai'
import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import { hiddenKeyOf, WorkingSet } from '../../projections/working-set.ts'
import type { Document, Views } from '../../stores/contract/views.ts'

const BOOKS = [{ name: 'books', indexes: {} }]
const RANKED = { collection: 'books', index: 'ranked', key: 'board', sortKey: 'rank', keys: 'boards', byPartition: 'p' }
const WITH_HIDDEN = { ...RANKED, hiddenField: 'hidden' }

/** A store that answers from these documents and records which it was asked to read. */
function store(...documents: Document[]) {
  const asked: (readonly [string, string, readonly string[]])[] = []
  const get: Views['get'] = async (view, collection, ids) => {
    asked.push([view, collection, ids])
    return ids.map((id) => documents.find((one) => one.id === id) ?? null)
  }
  return { asked, views: { get } as Views }
}

const at = (position: string, game: string | null = 'g') => ({ position, meta: { game } }) as StoredEvent
const document = (id: string, body: JsonObject, pos = '05'): Document => ({ id, pos, body })

describe('a working set', () => {
  it('knows which documents have a later event', async () => {
    const set = new WorkingSet(store(document('a', { n: 1 }, '05')).views, 'v@1')
    await set.load([['books', 'a']])
    expect(['04', '05', '06'].map((position) => set.isAfter('books', 'a', at(position)))).to.deep.equal([
      true,
      false,
      false,
    ])
  })

  it('loads each document once, the missing ones of a collection in one call', async () => {
    const { asked, views } = store(document('a', { n: 1 }))
    const set = new WorkingSet(views, 'v@1')
    await set.load([
      ['books', 'a'],
      ['books', 'b'],
      ['books', 'a'],
      ['shelves', 's'],
    ])
    await set.load([
      ['books', 'b'],
      ['books', 'c'],
    ])
    expect(asked).to.deep.equal([
      ['v@1', 'books', ['a', 'b']],
      ['v@1', 'shelves', ['s']],
      ['v@1', 'books', ['c']],
    ])
    expect([set.get('books', 'a'), set.get('books', 'b')]).to.deep.equal([{ n: 1 }, null])
    expect([set.has(['books', 'c']), set.has(['books', 'd']), set.has(['none', 'a'])]).to.deep.equal([
      true,
      false,
      false,
    ])
  })

  it('refuses to read or change a document that was not named', () => {
    const set = new WorkingSet(store().views, 'v@1')
    const text = 'v@1: books/a was used but not named in needs'
    expect(() => set.get('books', 'a')).to.throw(text)
    expect(() => set.put('books', 'a', {})).to.throw(text)
    expect(() => set.remove('books', 'a')).to.throw(text)
    expect(set.peek('books', 'a')).to.equal(null)
  })

  it('shows an event its own changes, and keeps them only if it is accepted', () => {
    const set = new WorkingSet(store().views, 'v@1', undefined, BOOKS)
    set.addFound('books', document('a', { n: 1 }))
    set.put('books', 'a', { n: 2 })
    expect([set.get('books', 'a'), set.peek('books', 'a'), set.changed]).to.deep.equal([{ n: 2 }, { n: 1 }, 0])
    set.reject()
    expect([set.get('books', 'a'), set.changed]).to.deep.equal([{ n: 1 }, 0])
    set.accept(at('06'))
    expect(set.takeChanges()).to.deep.equal([])
    set.put('books', 'a', { n: 3 })
    set.put('books', 'a', { n: 4 })
    set.accept(at('07'))
    expect([set.get('books', 'a'), set.peek('books', 'a'), set.changed]).to.deep.equal([{ n: 4 }, { n: 4 }, 1])
  })

  it('returns each changed document once, with its last position and game', () => {
    const set = new WorkingSet(store().views, 'v@1', undefined, BOOKS)
    set.addFound('books', document('a', { n: 1 }))
    set.addAbsent('books', 'b')
    set.put('books', 'a', { n: 2 })
    set.accept(at('06', 'g1'))
    set.put('books', 'a', { n: 3 })
    set.put('books', 'b', { n: 9 })
    set.accept(at('07', null))
    expect(set.changed).to.equal(2)
    const change = { collection: 'books', pos: '07', game: null, left: null }
    expect(set.takeChanges()).to.deep.equal([
      { ...change, id: 'a', before: { n: 1 }, after: { n: 3 } },
      { ...change, id: 'b', before: null, after: { n: 9 } },
    ])
    expect([set.changed, set.takeChanges()]).to.deep.equal([0, []])
    set.remove('books', 'a')
    set.accept(at('08'))
    expect(set.takeChanges()).to.deep.equal([
      { ...change, id: 'a', pos: '08', game: 'g', before: { n: 3 }, after: null },
    ])
  })

  it('passes over a document that already has the event from before a crash', () => {
    const set = new WorkingSet(store().views, 'v@1', undefined, BOOKS)
    set.addFound('books', document('a', { n: 1 }, '06'))
    for (const position of ['05', '06']) {
      set.put('books', 'a', { n: 2 })
      set.accept(at(position))
    }
    expect([set.get('books', 'a'), set.takeChanges()]).to.deep.equal([{ n: 1 }, []])
    set.put('books', 'a', { n: 2 })
    set.accept(at('07'))
    expect(set.takeChanges()).to.have.length(1)
    set.put('books', 'a', { n: 3 })
    set.accept(at('07'))
    expect(set.takeChanges()).to.deep.equal([])
  })

  it('keeps what it holds where the same document is found or said to be absent', () => {
    const set = new WorkingSet(store().views, 'v@1', undefined, BOOKS)
    set.addFound('books', document('a', { n: 1 }))
    set.addFound('books', document('a', { n: 2 }))
    set.addAbsent('books', 'a')
    expect(set.get('books', 'a')).to.deep.equal({ n: 1 })
  })

  it('estimates its bytes: 400 a document, 24 a field, and the lengths of texts', () => {
    const set = new WorkingSet(store().views, 'v@1', undefined, BOOKS)
    expect(set.bytes).to.equal(0)
    set.addAbsent('books', 'a')
    expect(set.bytes).to.equal(400)
    set.put('books', 'a', { text: '12345', number: 1, none: null, list: [1, 2] })
    expect(set.bytes).to.equal(400)
    set.accept(at('01'))
    expect(set.bytes).to.equal(400 + 4 * 24 + 5 + 2 * '[1,2]'.length)
    set.addFound('books', document('b', { n: 1 }))
    expect(set.bytes).to.equal(400 + 4 * 24 + 5 + 10 + 424)
    set.remove('books', 'a')
    set.accept(at('02'))
    expect(set.bytes).to.equal(400 + 424)
  })
})

describe('a working set of ranked documents', () => {
  const set = (body: JsonObject, ranked: typeof RANKED | typeof WITH_HIDDEN = RANKED) => {
    const one = new WorkingSet(store().views, 'v@1', ranked, BOOKS)
    one.addFound('books', document('a', body))
    return one
  }

  it('records the sort keys that a document had in between and no longer has', () => {
    const one = set({ board: 'k', rank: 'm1' })
    for (const [n, rank] of ['m2', 'm2', 'm3'].entries()) {
      one.put('books', 'a', { board: 'k', rank })
      one.accept(at(`1${n}`))
    }
    expect(one.changed).to.equal(3)
    expect(one.takeChanges().map(({ left }) => left)).to.deep.equal([{ key: 'k', sortKeys: ['m1', 'm2'] }])
    one.remove('books', 'a')
    one.accept(at('20'))
    expect([one.changed, one.takeChanges()[0]?.left]).to.deep.equal([2, { key: 'k', sortKeys: ['m3'] }])
  })

  it('records no sort key for a document that had none, or that keeps it', () => {
    const fresh = set({ board: 'k', rank: null })
    fresh.put('books', 'a', { board: 'k', rank: 'm1' })
    fresh.accept(at('11'))
    fresh.put('books', 'a', { board: 'k', rank: 'm1', more: 1 })
    fresh.accept(at('12'))
    expect([fresh.changed, fresh.takeChanges()[0]?.left]).to.deep.equal([1, null])
  })

  it('records no sort key for documents of another collection', () => {
    const one = set({ board: 'k', rank: 'm1' }, { ...RANKED, collection: 'shelves' })
    one.remove('books', 'a')
    one.accept(at('11'))
    expect(one.takeChanges()[0]?.left).to.equal(null)
  })

  it('names the ranking that a hidden document returns to', () => {
    const one = set({ board: null, rank: null, hidden: { board: 'k', rank: 'm1' } }, WITH_HIDDEN)
    one.put('books', 'a', { board: 'k', rank: 'm1' })
    one.accept(at('11'))
    expect(one.takeChanges()[0]?.left).to.deep.equal({ key: 'k', sortKeys: [] })
  })

  it('finds the ranking of a hidden document only', () => {
    const body = { board: null, hidden: { board: 'k' } }
    expect(hiddenKeyOf(body, WITH_HIDDEN)).to.equal('k')
    expect([
      hiddenKeyOf(body, RANKED),
      hiddenKeyOf(null, WITH_HIDDEN),
      hiddenKeyOf({ board: 'k' }, WITH_HIDDEN),
      hiddenKeyOf({ hidden: {} }, WITH_HIDDEN),
    ]).to.deep.equal([null, null, null, null])
  })
})
