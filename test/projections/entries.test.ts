// The full documents that the view of entries has after each event.

import { expect } from 'chai'
import type { Decimal } from '../../domain/decimal.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { entries } from '../../projections/entries.ts'
import { encodeSortKey } from '../../ranking/sort-key.ts'
import { FROZEN, frozen } from '../domain/frozen.ts'
import { type ViewInMemory, viewInMemory } from './view-in-memory.ts'

const UNIQUE = { ordering: 'desc', secondaryOrdering: 'asc' } as const
const MANY = { ordering: 'asc', secondaryOrdering: 'desc' } as const

const sortKeyOf = (
  orderings: typeof UNIQUE | typeof MANY,
  [score, secondary, { position, meta }, id]: [string, string | null, StoredEvent, string],
) => {
  const numbers = { score: score as Decimal, secondary: secondary as Decimal | null }
  return encodeSortKey({ ...numbers, position, timeMs: Date.parse(meta.time), id }, orderings)
}
const [first, better, worse, widest, tiniest] = frozen('ScoreSubmitted') as [
  StoredEvent,
  StoredEvent,
  StoredEvent,
  StoredEvent,
  StoredEvent,
]

/** The view after every event before this one. */
function viewBefore(event: StoredEvent): ViewInMemory {
  const view = viewInMemory(entries)
  view.apply(...FROZEN.slice(0, FROZEN.indexOf(event)))
  return view
}

function changesOf(event: StoredEvent) {
  const view = viewBefore(event)
  view.apply(event)
  return view.changed()
}

describe('the view of entries', () => {
  it('stores the rules and the ranking key on LeaderboardCreated', () => {
    const [unique, many] = frozen('LeaderboardCreated') as [StoredEvent, StoredEvent]
    for (const [event, board] of [
      [unique, 'b1'],
      [many, 'b2'],
    ] as const) {
      const own = { generation: 1, rules: event.data.rules }
      expect(changesOf(event)).to.deep.equal({
        [`boards/${board}`]: own,
        [`generations/${board}.1`]: { ...own, ranking: `${board}.1`, partition: 5 },
      })
    }
  })

  it('stores the name on PlayerCreated', () => {
    const [ada] = frozen('PlayerCreated') as [StoredEvent]
    expect(changesOf(ada)).to.deep.equal({ 'names/p1': { name: 'Ada', standing: 'shown' } })
  })

  it('creates the player’s entry on the first ScoreSubmitted of a unique board', () => {
    const time = first.meta.time
    expect(Object.values(changesOf(first))).to.deep.equal([
      {
        id: 'sa',
        lookup: 'sa',
        board: 'b1',
        generation: 1,
        player: 'p1',
        ranking: 'b1.1',
        member: sortKeyOf(UNIQUE, ['12.5', '3', first, 'sa']),
        ofPlayer: null,
        score: '12.5',
        secondary: '3',
        extra: '{"level":3}',
        ownName: null,
        name: 'Ada',
        added: time,
        updated: time,
        revision: 0,
      },
    ])
  })

  it('replaces the content but keeps id and added time on a better ScoreSubmitted', () => {
    const view = viewBefore(better)
    const [ref] = Object.keys(changesOf(first))
    view.apply(better)
    const { time } = better.meta
    expect(view.changed()).to.deep.equal({
      [ref ?? '']: {
        id: 'sa',
        lookup: 'sa',
        board: 'b1',
        generation: 1,
        player: 'p1',
        ranking: 'b1.1',
        member: sortKeyOf(UNIQUE, ['12.5', '2', better, 'sa']),
        ofPlayer: null,
        score: '12.5',
        secondary: '2',
        extra: null,
        ownName: 'The Ace',
        name: 'The Ace',
        added: first.meta.time,
        updated: time,
        revision: 1,
      },
    })
  })

  it('creates one entry per ScoreSubmitted on a board that is not unique', () => {
    const [low, high] = [changesOf(widest), changesOf(tiniest)].map((changes) => Object.values(changes))
    const common = { lookup: null, board: 'b2', generation: 1, player: 'p2', ranking: 'b2.1', secondary: null }
    const times = (event: StoredEvent) => ({
      added: event.meta.time,
      updated: event.meta.time,
      revision: event.revision,
    })
    expect(low).to.deep.equal([
      {
        ...common,
        id: 'sd',
        member: sortKeyOf(MANY, ['1000000', null, widest, 'sd']),
        ofPlayer: sortKeyOf(MANY, ['1000000', null, widest, 'sd']),
        score: '1000000',
        extra: '[1,2]',
        ownName: null,
        name: 'Guestp2p2',
        ...times(widest),
      },
    ])
    expect(high).to.deep.equal([
      {
        ...common,
        id: 'se',
        member: sortKeyOf(MANY, ['0.000000000000000001', null, tiniest, 'se']),
        ofPlayer: sortKeyOf(MANY, ['0.000000000000000001', null, tiniest, 'se']),
        score: '0.000000000000000001',
        extra: null,
        ownName: 'Zoe',
        name: 'Zoe',
        ...times(tiniest),
      },
    ])
  })

  it('changes the name on PlayerNamed, except in entries submitted with a name', () => {
    const [named] = frozen('PlayerNamed') as [StoredEvent]
    const view = viewBefore(named)
    const before = view.documents('entries')
    view.apply(named)
    const changed = view.changed()
    expect(changed['names/p2']).to.deep.equal({ name: 'Bob', standing: 'shown' })
    const touched = Object.entries(changed).filter(([ref]) => ref.startsWith('entries/'))
    expect(touched).to.have.length(1)
    const [[ref = '', body] = []] = touched
    expect(body).to.deep.equal({ ...before[ref.slice('entries/'.length)], name: 'Bob' })
    expect([body?.id, body?.ownName]).to.deep.equal(['sd', null])
  })

  it('removes one entry on ScoreDeleted, or the player’s entry on a unique board', () => {
    const [alone, whole] = frozen('ScoreDeleted') as [StoredEvent, StoredEvent]
    expect(Object.keys(changesOf(alone))).to.deep.equal(Object.keys(changesOf(tiniest)))
    expect(Object.values(changesOf(alone))).to.deep.equal([null])
    expect(Object.keys(changesOf(whole))).to.deep.equal(Object.keys(changesOf(first)))
    expect(Object.values(changesOf(whole))).to.deep.equal([null])
  })

  it('stores a null name if the name can no longer be decrypted', () => {
    const view = viewInMemory(entries)
    const unreadable = FROZEN.map(
      (event): StoredEvent =>
        event.type === 'PlayerCreated' ? { ...event, data: { ...event.data, name: null } } : event,
    )
    view.apply(...unreadable.slice(0, FROZEN.indexOf(first) + 1))
    expect(Object.values(view.changed()).map((entry) => entry?.name)).to.deep.equal([null])
  })

  describe('of a banned player', () => {
    const [banned, unbanned] = [frozen('PlayerBanned')[0], frozen('PlayerUnbanned')[0]] as [StoredEvent, StoredEvent]

    it('removes all entries of the player, and no others, from rankings on PlayerBanned', () => {
      const view = viewBefore(banned)
      const before = view.documents('entries')
      view.apply(banned)
      const { 'names/p2': name, ...entries } = view.changed()
      expect(name).to.deep.equal({ name: 'Bob', standing: 'hidden' })
      expect(Object.keys(entries)).to.have.length(1)
      for (const [ref, entry] of Object.entries(entries)) {
        const { ranking, member, ...rest } = before[ref.slice('entries/'.length)] ?? {}
        expect(rest.player).to.equal('p2')
        expect(entry).to.deep.equal({ ...rest, ranking: null, member: null, aside: { ranking, member } })
      }
    })

    it('restores every entry byte for byte on PlayerUnbanned', () => {
      const view = viewBefore(banned)
      const before = JSON.stringify(view.documents('entries'))
      view.apply(banned)
      expect(JSON.stringify(view.documents('entries'))).not.to.equal(before)
      view.apply({ ...banned, revision: banned.revision + 1 }, unbanned)
      expect(JSON.stringify(view.documents('entries'))).to.equal(before)
    })

    it('applies ScoreSubmitted and PlayerNamed during a ban as if there were none, once it has ended', () => {
      const late = (id: string) => ({ ...widest, revision: 9, data: { ...widest.data, id, score: '7' } })
      const renamed = { ...(frozen('PlayerNamed')[0] as StoredEvent), data: { name: 'Rob' } }
      const [view, due] = [viewBefore(banned), viewBefore(banned)]
      view.apply(banned, late('sy'))
      expect(Object.values(view.changed()).map((entry) => [entry?.ranking, entry?.member])).to.deep.equal([
        [null, null],
      ])
      view.apply(renamed, unbanned)
      due.apply(late('sy'), renamed)
      expect(view.documents('entries')).to.deep.equal(due.documents('entries'))
      expect(view.documents('names')).to.deep.equal(due.documents('names'))
    })

    it('compares a better submission with the hidden entry and keeps the result hidden', () => {
      const ban = { ...banned, meta: { ...banned.meta, player: 'p1' } }
      const lift = { ...unbanned, meta: { ...unbanned.meta, player: 'p1' } }
      const [view, due] = [viewInMemory(entries), viewInMemory(entries)]
      const until = FROZEN.slice(0, FROZEN.indexOf(first) + 1)
      view.apply(...until, ban, worse, better)
      expect(
        Object.values(view.documents('entries')).map(({ score, secondary, member }) => [score, secondary, member]),
      ).to.deep.equal([['12.5', '2', null]])
      view.apply(lift)
      due.apply(...until, worse, better)
      expect(JSON.stringify(view.documents('entries'))).to.equal(JSON.stringify(due.documents('entries')))
    })
  })

  it('removes entries and name on PlayerDeleted, and ignores later submissions', () => {
    const [deleted] = frozen('PlayerDeleted') as [StoredEvent]
    const view = viewBefore(better)
    view.apply(deleted)
    const { 'names/p1': name, ...gone } = view.changed()
    expect(name).to.deep.equal({ name: null, standing: 'gone' })
    expect(Object.values(gone)).to.deep.equal([null])
    view.apply(better)
    expect(view.changed()).to.deep.equal({})
  })
})
