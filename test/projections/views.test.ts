// The full documents that the views of games, keys, leaderboards, players, sessions, origins and calls have after each
// event. And which views are maintained.

import { hash } from 'node:crypto'
import { expect } from 'chai'
import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import { ALL_VIEWS, viewsOver } from '../../projections/all.ts'
import { games } from '../../projections/games.ts'
import { history } from '../../projections/history.ts'
import { keys } from '../../projections/keys.ts'
import { leaderboards } from '../../projections/leaderboards.ts'
import { origins } from '../../projections/origins.ts'
import { players } from '../../projections/players.ts'
import type { Projection } from '../../projections/projection.ts'
import { sessions } from '../../projections/sessions.ts'
import { FROZEN, frozen } from '../domain/frozen.ts'
import { createMemoryLog } from '../memory/log.ts'
import { viewInMemory } from './view-in-memory.ts'

/** What the frozen events of a type change in a view, each after all events before it. */
function changesOf(projection: Projection, type: string): Record<string, JsonObject | null>[] {
  return frozen(type).map((event) => {
    const view = viewInMemory(projection)
    view.apply(...FROZEN.slice(0, FROZEN.indexOf(event)))
    view.apply(event)
    return view.changed()
  })
}

/** The one document that the first event of a type creates or changes: its reference and its body. */
function onlyChange(projection: Projection, type: string): [string, JsonObject | null] {
  const entries = Object.entries(changesOf(projection, type)[0] ?? {})
  expect(entries).to.have.length(1)
  return entries[0] as [string, JsonObject | null]
}

const timeOf = (type: string): string => frozen(type)[0]?.meta.time ?? ''
const dataOf = (type: string): JsonObject => frozen(type)[0]?.data ?? {}

describe('the view of games', () => {
  const [ref, created] = onlyChange(games, 'GameCreated')
  const state = created?.state as JsonObject
  const shown = (changed: JsonObject) => ({ ...created, state: { ...state, name: 'Quest II', ...changed } })

  it('stores the defaults and the name on GameCreated', () => {
    const defaults = {
      corsOrigins: [],
      signIn: { guest: true, password: true, code: true, ticket: true },
      fixedRooms: [],
    }
    const { realtime, ...rest } = state
    expect(rest).to.deep.equal({ ...defaults, name: 'Quest', created: timeOf('GameCreated') })
    expect(realtime).to.include({
      enabled: false,
      max_room_size: 32,
      max_rooms: 100,
      max_message_bytes: 4096,
      messages_per_second: 20,
    })
    expect([ref, created]).to.deep.equal(['games/g1', { id: 'g1', game: 'g1', state, created: timeOf('GameCreated') }])
  })
  it('changes the name on GameRenamed', () => expect(onlyChange(games, 'GameRenamed')).to.deep.equal([ref, shown({})]))
  it('stores all settings on GameConfigured', () => {
    expect(onlyChange(games, 'GameConfigured')).to.deep.equal([ref, shown(dataOf('GameConfigured'))])
  })
  it('stores the rooms on FixedRoomsSet', () => {
    const changed = { ...dataOf('GameConfigured'), fixedRooms: dataOf('FixedRoomsSet').rooms ?? null }
    expect(onlyChange(games, 'FixedRoomsSet')).to.deep.equal([ref, shown(changed)])
  })
})

describe('the view of keys', () => {
  const created = timeOf('KeyIssued')
  const document = (changed: JsonObject) => {
    return { id: 'ck_a', game: 'g1', state: { ...dataOf('KeyIssued'), created, revoked: false, ...changed }, created }
  }

  it('stores everything but secrets on KeyIssued', () =>
    expect(onlyChange(keys, 'KeyIssued')).to.deep.equal(['keys/ck_a', document({})]))
  it('indexes an operator key, which has no game, as such', () => {
    const view = viewInMemory(keys)
    const [issued] = frozen('KeyIssued') as [StoredEvent]
    const data = { ...issued.data, game: null }
    view.apply({ ...issued, stream: 'key-sk_o', data, meta: { ...issued.meta, game: null } })
    expect(view.changed()).to.deep.equal({
      'keys/sk_o': { id: 'sk_o', game: null, state: { ...data, created, revoked: false }, created, operator: 1 },
    })
  })
  it('changes the permissions on KeyPermissionsChanged', () => {
    expect(onlyChange(keys, 'KeyPermissionsChanged')).to.deep.equal([
      'keys/ck_a',
      document(dataOf('KeyPermissionsChanged')),
    ])
  })
  it('keeps a revoked key on KeyRevoked', () => {
    const changed = { ...dataOf('KeyPermissionsChanged'), revoked: true }
    expect(onlyChange(keys, 'KeyRevoked')).to.deep.equal(['keys/ck_a', document(changed)])
  })
})

describe('the view of leaderboards', () => {
  const document = (id: string, event: StoredEvent, changed: JsonObject, listedIn: string | null = 'g1') => {
    const created = event.meta.time
    const fresh = { archived: false, generation: 1, lastGeneration: 1, rebuild: null, superseded: [] }
    const whole = { key: null, claim: null, ...fresh }
    const state = { ...whole, ...event.data, created, ...changed }
    return { [`leaderboards/${id}`]: { id, game: 'g1', state, created, generation: 1, listedIn } }
  }
  const [one, two, three] = frozen('LeaderboardCreated') as [StoredEvent, StoredEvent, StoredEvent]

  it('lists the board under its game on LeaderboardCreated', () => {
    expect(changesOf(leaderboards, 'LeaderboardCreated')).to.deep.equal([
      document('b1', one, {}),
      document('b2', two, {}),
      document('b3', three, {}),
    ])
  })
  it('changes the key on LeaderboardKeyChanged', () => {
    expect(changesOf(leaderboards, 'LeaderboardKeyChanged')).to.deep.equal([
      document('b3', three, dataOf('LeaderboardKeyChanged')),
    ])
  })
  it('has the claim on a key from LeaderboardKeyClaimed to LeaderboardKeyReleased', () => {
    const claimOf = ({ stream, data: state }: StoredEvent) => {
      const id = stream.slice('boardkey-'.length)
      return { [`board_keys/${id}`]: { id, game: 'g1', state } }
    }
    expect(changesOf(leaderboards, 'LeaderboardKeyClaimed')).to.deep.equal(frozen('LeaderboardKeyClaimed').map(claimOf))
    expect(changesOf(leaderboards, 'LeaderboardKeyReleased')).to.deep.equal([{ 'board_keys/g1.weekly': null }])
  })
  it('changes name and description on LeaderboardDescribed', () => {
    expect(changesOf(leaderboards, 'LeaderboardDescribed')).to.deep.equal([
      document('b1', one, dataOf('LeaderboardDescribed')),
    ])
  })
  it('removes the board from the list on LeaderboardArchived', () => {
    expect(changesOf(leaderboards, 'LeaderboardArchived')).to.deep.equal([
      document('b2', two, { archived: true }, null),
    ])
  })
})

describe('the view of players', () => {
  const document = ({ data, meta }: StoredEvent, changed: JsonObject, fields: JsonObject = {}) => {
    const id = meta.player ?? ''
    const state = {
      ...data,
      created: meta.time,
      banned: null,
      deleted: false,
      links: [],
      takenOver: null,
      signOuts: 0,
      ...changed,
    }
    const indexed = { listed: 'g1', created: meta.time, bannedUntil: null, deletedAt: null, ...fields }
    return { [`players/${id}`]: { id, game: 'g1', state, ...indexed } }
  }
  const [ada, guest] = frozen('PlayerCreated') as [StoredEvent, StoredEvent]

  it('stores the player on PlayerCreated', () => {
    expect(changesOf(players, 'PlayerCreated')).to.deep.equal([document(ada, {}), document(guest, {})])
  })
  it('changes the name on PlayerNamed', () => {
    expect(changesOf(players, 'PlayerNamed')).to.deep.equal([document(guest, { name: 'Bob' })])
  })
  const [own, email] = frozen('PlayerLinked').map(({ data }) => data) as [JsonObject, JsonObject]
  it('makes a guest a regular player on PlayerLinked', () => {
    const linked = (...links: JsonObject[]) => document(guest, { name: 'Bob', guest: false, links })
    expect(changesOf(players, 'PlayerLinked')).to.deep.equal([linked(own), linked(own, email)])
  })
  it('confirms the address and drops the login on PlayerEmailConfirmed', () => {
    const links = [{ ...email, confirmed: true }]
    const changed = {
      name: 'Bob',
      guest: false,
      links,
      takenOver: { time: timeOf('PlayerEmailConfirmed'), session: 's2' },
    }
    expect(changesOf(players, 'PlayerEmailConfirmed')).to.deep.equal([document(guest, changed)])
  })
  it('stores the ban, indexed by its end, on PlayerBanned and removes it on PlayerUnbanned', () => {
    const [ban] = frozen('PlayerBanned') as [StoredEvent]
    const banned = { since: ban.meta.time, ...ban.data }
    const bannedUntil = ban.data.until as string
    expect(changesOf(players, 'PlayerBanned')).to.deep.equal([
      document(guest, { name: 'Bob', banned }, { bannedUntil }),
    ])
    expect(changesOf(players, 'PlayerUnbanned')).to.deep.equal([document(guest, { name: 'Bob' })])
  })
  it('counts sign-outs on PlayerSignedOut', () => {
    const links = [{ ...email, confirmed: true }]
    const takenOver = { time: timeOf('PlayerEmailConfirmed'), session: 's2' }
    const changed = { name: 'Bob', guest: false, links, takenOver }
    const times = (signOuts: number) => document(guest, { ...changed, signOuts })
    expect(changesOf(players, 'PlayerSignedOut')).to.deep.equal([times(2), times(3)])
  })
  it('removes the player from the list and all their texts on PlayerDeleted, indexed by time', () => {
    const [deletion] = frozen('PlayerDeleted') as [StoredEvent]
    const gone = { name: null, externalId: null, deleted: true }
    const fields = { listed: null, deletedAt: deletion.meta.time }
    expect(changesOf(players, 'PlayerDeleted')).to.deep.equal([document(ada, gone, fields)])
  })
})

describe('the view of sessions', () => {
  const document = (ended: boolean) => {
    const state = { ...dataOf('SessionStarted'), ended }
    const expires = dataOf('SessionStarted').expires ?? ''
    return { id: 's1', game: 'g1', state, openFor: ended ? null : 'p2', endedFor: ended ? 'p2' : null, expires }
  }

  it('lists the session as open on SessionStarted', () =>
    expect(onlyChange(sessions, 'SessionStarted')).to.deep.equal(['sessions/s1', document(false)]))
  it('lists the session as ended on SessionEnded', () =>
    expect(onlyChange(sessions, 'SessionEnded')).to.deep.equal(['sessions/s1', document(true)]))
})

describe('the view of origins', () => {
  const configured = (game: string, corsOrigins: string[]): StoredEvent => {
    const [event] = frozen('GameConfigured') as [StoredEvent]
    return { ...event, stream: `game-${game}`, data: { ...event.data, corsOrigins }, meta: { ...event.meta, game } }
  }

  const document = (game: string, origin: string, collection = '') => ({
    [`${collection}${game}/${hash('sha256', origin, 'base64url')}`]: { game, origin },
  })

  it('creates a document per allowed origin on GameConfigured', () => {
    expect(changesOf(origins, 'GameConfigured')).to.deep.equal([
      { ...document('g1', 'https://a.example', 'origins/'), ...document('g1', 'https://b.example', 'origins/') },
    ])
  })

  it('removes origins that a later GameConfigured no longer allows, and leaves other games alone', () => {
    const view = viewInMemory(origins)
    view.apply(configured('g1', ['https://a.example', 'https://b.example']), configured('g0', ['https://b.example']))
    view.apply(configured('g1', ['https://c.example']))
    expect(view.documents('origins')).to.deep.equal({
      ...document('g0', 'https://b.example'),
      ...document('g1', 'https://c.example'),
    })
  })
})

describe('the view of calls', () => {
  const view = ALL_VIEWS.find(({ name }) => name === 'commands') as Projection

  it('stores the hash and event reference of an event with a call, and nothing without one', () => {
    for (const event of FROZEN) {
      const { command, call, time } = event.meta
      const memory = viewInMemory(view)
      memory.apply(event)
      const row = { call, stream: event.stream, revision: event.revision, time }
      expect([event.type, memory.changed()]).to.deep.equal([
        event.type,
        call === undefined ? {} : { [`commands/${command}`]: row },
      ])
    }
  })

  it('keeps the first event of a call', () => {
    const [event] = frozen('GameCreated') as [StoredEvent]
    const memory = viewInMemory(view)
    memory.apply(event, { ...event, stream: 'key-sk_a' })
    expect(memory.changed()).to.deep.equal({})
  })
})

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
