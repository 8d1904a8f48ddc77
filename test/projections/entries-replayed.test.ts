// Replayed events in the view of entries: the range that each rebuild event names, and the documents of its generation.

import { expect } from 'chai'
import { type JsonObject, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { entries } from '../../projections/entries.ts'
import { replays } from '../../projections/entries-replayed.ts'
import type { EntryState } from '../../projections/entry-state.ts'
import type { DocRef, Folding } from '../../projections/projection.ts'
import { submission } from './submissions.ts'

const RULES = { ordering: 'desc', secondaryOrdering: 'asc', unique: true, minScore: null, maxScore: null }
const [FIRST, LAST] = [
  { stream: 'lb_b1-p1', revision: 0 },
  { stream: 'lb_b1-p2', revision: 4 },
]
const PAST = submission(6, 'b1', 20)
const DELETED: StoredEvent = { ...PAST, type: 'ScoreDeleted', data: { id: 's6', upTo: null } }
const GENERATION: DocRef = ['generations', 'b1.2']
const NAMES: DocRef = ['names', 'p6']
const SEASONS: DocRef = ['seasons', 'b1']

const rebuild = (type: string, data: JsonObject, board = 'b1'): StoredEvent => {
  const meta = { v: 1, game: 'g1', board, command: 'c', actor: null, request: null, time: '2026-01-01T00:00:00.000Z' }
  return { ...PAST, type, meta, data: { generation: 2, ...data }, stream: `rebuild-${board}` }
}
const BUILT = rebuild('LeaderboardSliceBuilt', { after: null, upTo: LAST })
const CLEARED = rebuild('LeaderboardSliceCleared', { after: null, upTo: LAST })

/** Documents that exist, by collection and id; `changes` has what is put, and null for what is removed. */
function documents(present: Readonly<Record<string, JsonObject>>) {
  const changes: Record<string, JsonObject | null> = {}
  const get = (collection: string, id: string) => {
    const change = changes[`${collection}/${id}`]
    return change === undefined ? (present[`${collection}/${id}`] ?? null) : change
  }
  return {
    changes,
    get,
    isAfter: () => false,
    put: (collection: string, id: string, body: JsonObject) => {
      changes[`${collection}/${id}`] = body
    },
    remove: (collection: string, id: string) => {
      changes[`${collection}/${id}`] = null
    },
  }
}

const generation = (unique = true, more: JsonObject = {}) => ({
  'generations/b1.2': { generation: 2, rules: { ...RULES, unique }, ...more },
})
/** The references of a submission's entry in generation 2, on a unique board and on any other. */
const [UNIQUE, SINGLE] = [true, false].map((unique) => {
  const refs = replays.needs(PAST, BUILT, documents(generation(unique)).get, [])
  return refs.at(-1) as DocRef
}) as [DocRef, DocRef]
const keyOf = ([collection, id]: DocRef) => `${collection}/${id}`

describe('the range of a rebuild event', () => {
  it('is the one that a built slice names', () => {
    const event = rebuild('LeaderboardSliceBuilt', { after: FIRST, upTo: LAST })
    const range = replays.range(event)
    expect([range?.board, range?.after, range?.upTo]).to.deep.equal(['b1', FIRST, LAST])
  })

  it('is everything after the last slice when the rules change', () => {
    const event = rebuild('LeaderboardRulesChanged', { after: LAST })
    expect(replays.range(event)).to.deep.equal({ board: 'b1', after: LAST, upTo: null })
  })

  it('is the one that a cleared slice names, or none if it has no end', () => {
    expect(replays.range(CLEARED)).to.deep.equal({ board: 'b1', after: null, upTo: LAST })
    expect(replays.range(rebuild('LeaderboardSliceCleared', { after: FIRST, upTo: null }))).to.equal(null)
    expect(replays.range(rebuild('LeaderboardCreated', { after: FIRST, upTo: LAST }))).to.equal(null)
  })
})

describe('the documents of a replayed event', () => {
  it('are its generation, the player, the seasons and the entry', () => {
    const needs = [GENERATION, NAMES, SEASONS, UNIQUE]
    expect(replays.needs(PAST, BUILT, documents(generation()).get, [])).to.deep.equal(needs)
    expect(UNIQUE).to.not.deep.equal(SINGLE)
  })

  it('are only its generation, the player and the seasons if the generation does not exist', () => {
    const { get } = documents({})
    expect(replays.needs(PAST, BUILT, get, [])).to.deep.equal([GENERATION, NAMES, SEASONS])
    expect(replays.needs(DELETED, CLEARED, get, [])).to.deep.equal([GENERATION, SEASONS])
  })

  it('are its generation and the entries of both kinds when a generation that no longer exists is cleared', () => {
    expect(replays.needs(PAST, CLEARED, documents({}).get, [])).to.deep.equal([GENERATION, SEASONS, UNIQUE, SINGLE])
  })

  it('are those of the first generation if the event names none', () => {
    const event = { ...BUILT, data: {} }
    expect(replays.needs(PAST, event, documents({}).get, [])[0]).to.deep.equal(['generations', 'b1.1'])
  })
})

describe('a replayed event', () => {
  it('adds the entry to the generation that is built', () => {
    const docs = documents(generation())
    replays.handle(PAST, BUILT, docs, [])
    expect(Object.keys(docs.changes)).to.deep.equal([keyOf(UNIQUE)])
    expect(docs.changes[keyOf(UNIQUE)]).to.include({ id: 's6', player: 'p6', generation: 2, score: '106', best: 's6' })
  })

  it('changes nothing if the generation that is built no longer exists', () => {
    const docs = documents({})
    replays.handle(PAST, BUILT, docs, [])
    expect(docs.changes).to.deep.equal({})
  })

  it('removes the entry from the generation that is cleared, if it is there', () => {
    const docs = documents({ ...generation(), [keyOf(UNIQUE)]: {}, [keyOf(SINGLE)]: {} })
    replays.handle(PAST, CLEARED, docs, [])
    expect(docs.changes).to.deep.equal({ [keyOf(UNIQUE)]: null })
    const none = documents(generation())
    replays.handle(PAST, CLEARED, none, [])
    expect(none.changes).to.deep.equal({})
  })

  it('removes the entries of both kinds if the generation that is cleared no longer exists', () => {
    const docs = documents({ [keyOf(UNIQUE)]: {}, [keyOf(SINGLE)]: {} })
    replays.handle(PAST, CLEARED, docs, [])
    expect(docs.changes).to.deep.equal({ [keyOf(UNIQUE)]: null, [keyOf(SINGLE)]: null })
  })

  it('removes nothing for a deletion while a generation is cleared', () => {
    const docs = documents({ ...generation(), [keyOf(UNIQUE)]: {} })
    replays.handle(DELETED, CLEARED, docs, [])
    expect(docs.changes).to.deep.equal({})
  })

  it('that fails marks its generation, with the first failure only', () => {
    const docs = documents(generation())
    replays.failed('ScoreSubmitted 0 of lb_b1-p6', BUILT, docs, 'no decimal')
    replays.failed('ScoreSubmitted 1 of lb_b1-p6', BUILT, docs, 'no time')
    const broken = 'ScoreSubmitted 0 of lb_b1-p6: no decimal'
    expect(docs.changes).to.deep.equal({ 'generations/b1.2': generation(true, { broken })['generations/b1.2'] })
    const none = documents({})
    replays.failed('ScoreSubmitted 0 of lb_b1-p6', BUILT, none, 'no decimal')
    expect(none.changes).to.deep.equal({})
  })
})

describe('the stream of a deletion', () => {
  const shown: Record<string, JsonObject> = {
    ...generation(),
    [keyOf(UNIQUE)]: { id: 's1', best: 's6', score: '106', secondary: null },
  }

  it('is needed if the generation shows the deleted submission, which is not the first', () => {
    expect(replays.needsStream(DELETED, BUILT, documents(shown).get)).to.equal(true)
  })

  it('is not needed if the generation does not exist or is cleared', () => {
    expect(replays.needsStream(DELETED, BUILT, documents({}).get)).to.equal(false)
    expect(replays.needsStream(DELETED, CLEARED, documents(shown).get)).to.equal(false)
  })

  it('is decided by the active generation for a new deletion', () => {
    const { 'generations/b1.2': own } = generation()
    const active = { 'boards/b1': own, [keyOf(UNIQUE)]: shown[keyOf(UNIQUE)] as JsonObject }
    expect(replays.needsStream(DELETED, null, documents(active).get)).to.equal(true)
    expect(replays.needsStream(DELETED, null, documents(shown).get)).to.equal(false)
  })
})

describe('a slice that is built from a fold', () => {
  const folding = replays.folding as Folding

  it('names the end of the fold; other rebuild events name none', () => {
    const foldEnd = (type: string, data: JsonObject) => folding.foldEnd(rebuild(type, data))
    expect(foldEnd('LeaderboardSliceBuilt', { asOf: LAST })).to.deep.equal(LAST)
    expect(foldEnd('LeaderboardSliceBuilt', {})).to.equal(null)
    expect(foldEnd('LeaderboardSliceCleared', { asOf: LAST })).to.equal(null)
  })

  it('belongs to the generation of its board, unless that no longer exists', () => {
    expect(folding.needs(BUILT)).to.deep.equal([GENERATION])
    const found = folding.generation(BUILT, documents(generation()))
    expect(found).to.deep.equal({ board: 'b1', generation: 2, rules: RULES })
    expect(folding.generation(BUILT, documents({}))).to.equal(null)
  })

  it('creates the entry of each player, with the player’s name', () => {
    const shown = { score: '106', secondary: null, extra: null, playerName: null }
    const time = PAST.meta.time
    const state = unsafeCast<EntryState>({
      player: 'p6',
      firstSubmission: null,
      id: 's6',
      time,
      revision: 0,
      shown,
      sortKey: 'm',
    })
    const of = { board: 'b1', generation: 2, rules: unsafeCast<never>(RULES) }
    expect([folding.reads(state), folding.creates(state, of)]).to.deep.equal([[NAMES], UNIQUE])
    const docs = documents({ 'names/p6': { name: 'Ada', standing: 'shown' } })
    folding.handle(state, of, docs)
    expect(docs.changes[keyOf(UNIQUE)]).to.include({ name: 'Ada', member: 'm', board: 'b1', ranking: 'b1.2' })
  })
})

describe('the active generation of a board', () => {
  it('is the one that a change of the rules names, with its rules', () => {
    const docs = documents({})
    entries.handle(rebuild('LeaderboardRulesChanged', { rules: RULES, after: LAST }), docs, [])
    expect(docs.changes).to.deep.equal({ 'boards/b1': { generation: 2, rules: RULES } })
  })

  it('stays until then: requested rules only create the next generation', () => {
    const docs = documents({})
    entries.handle(rebuild('LeaderboardRulesRequested', { rules: RULES }), docs, [])
    expect(Object.keys(docs.changes)).to.deep.equal(['generations/b1.2'])
    expect(docs.changes['generations/b1.2']).to.include({ generation: 2, ranking: 'b1.2' })
  })

  it('takes no score from before a change of rules that is stored already: its replay has it', () => {
    const docs = { ...documents({ 'boards/b1': { generation: 2, rules: RULES } }), isAfter: () => true }
    entries.handle(PAST, docs, [])
    expect(docs.changes).to.deep.equal({})
  })

  it('must exist when a score is submitted', () => {
    expect(() => entries.handle(PAST, documents({}), [])).to.throw('leaderboard b1, which was never created')
  })
})

describe('a generation that is cleared', () => {
  it('is removed with its last slice, if it exists', () => {
    const changes = (until: typeof LAST, present: Record<string, JsonObject>) => {
      const docs = documents(present)
      entries.handle(rebuild('LeaderboardSliceCleared', { after: null, upTo: LAST, until }), docs, [])
      return docs.changes
    }
    expect(changes(LAST, generation())).to.deep.equal({ 'generations/b1.2': null })
    expect(changes(LAST, {})).to.deep.equal({})
    expect(changes(FIRST, generation())).to.deep.equal({})
  })
})

describe('an event that changes all entries of a player', () => {
  const query = (type: string) => entries.query?.({ ...PAST, type })

  it('finds them by the player, and in reverse order when a ban ends', () => {
    const found = { collection: 'entries', index: 'player', equal: ['p6'] }
    for (const type of ['PlayerNamed', 'PlayerBanned', 'PlayerDeleted'])
      expect(query(type)).to.deep.equal([{ ...found, reverse: false }])
    expect(query('PlayerUnbanned')).to.deep.equal([{ ...found, reverse: true }])
    expect(query('ScoreSubmitted')).to.deep.equal([])
  })

  it('is the creation of the player when the game is deleted', () => {
    const removal = (type: string) => entries.removalQuery?.({ ...PAST, type })
    expect(removal('PlayerCreated')).to.deep.equal([{ collection: 'entries', index: 'player', equal: ['p6'] }])
    expect(removal('PlayerNamed')).to.deep.equal([])
  })
})
