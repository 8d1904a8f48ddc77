// Given what happened to a game, when a command comes, then these events follow.

import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import { changeGame, createGame, type GameEvent, game, NEW_GAME } from '../../domain/game.ts'
import { given, timeAt } from './given.ts'

const created: GameEvent = { type: 'GameCreated', data: { name: 'Quest' } }
const unconditionally = () => {}
const room = { id: 'lobby', name: 'Lobby', max_members: 8, listed: true }

describe('a game', () => {
  it('is created once', () => given(game).when(createGame('Quest')).then(created))

  it('does not change if it is created again with another name', () =>
    given(game, created).when(createGame('Other')).then())

  it('starts with every sign-in method enabled, no origins, and rooms disabled', () => {
    expect(given(game, created).state()).to.deep.equal({
      ...NEW_GAME,
      name: 'Quest',
      created: timeAt(0),
      fixedRooms: [],
    })
    expect(NEW_GAME.signIn).to.deep.equal({ guest: true, password: true, code: true, ticket: true })
    expect([NEW_GAME.corsOrigins, NEW_GAME.realtime.enabled]).to.deep.equal([[], false])
  })

  it('cannot be changed before it is created', () => {
    given(game)
      .when(changeGame({ name: 'X' }, unconditionally))
      .refused('not_found', 'game_not_found')
  })

  it('is renamed', () => {
    given(game, created)
      .when(changeGame({ name: 'New' }, unconditionally))
      .then({ type: 'GameRenamed', data: { name: 'New' } })
  })

  it('records nothing for a change to the present values', () => {
    const same = {
      name: 'Quest',
      corsOrigins: [],
      signIn: { guest: true },
      realtime: { max_rooms: 100 },
      fixedRooms: [],
    }
    given(game, created).when(changeGame(same, unconditionally)).then()
    given(game, created).when(changeGame({}, unconditionally)).then()
  })

  it('keeps omitted fields, down to single switches', () => {
    const signIn = { ...NEW_GAME.signIn, code: false }
    const configured: GameEvent = { type: 'GameConfigured', data: { ...NEW_GAME, signIn } }
    given(game, created)
      .when(changeGame({ signIn: { code: false, guest: undefined } }, unconditionally))
      .then(configured)
    const realtime = { ...NEW_GAME.realtime, enabled: true }
    given(game, created, configured)
      .when(changeGame({ realtime: { enabled: true } }, unconditionally))
      .then({ type: 'GameConfigured', data: { corsOrigins: [], signIn, realtime } })
  })

  it('records three events in a fixed order for a change of everything', () => {
    const change = { name: 'New', corsOrigins: ['https://a.example'], fixedRooms: [room] }
    given(game, created)
      .when(changeGame(change, unconditionally))
      .then(
        { type: 'GameRenamed', data: { name: 'New' } },
        { type: 'GameConfigured', data: { ...NEW_GAME, corsOrigins: ['https://a.example'] } },
        { type: 'FixedRoomsSet', data: { rooms: [room] } },
      )
  })

  it('sets and removes fixed rooms', () => {
    const set: GameEvent = { type: 'FixedRoomsSet', data: { rooms: [room] } }
    given(game, created)
      .when(changeGame({ fixedRooms: [room] }, unconditionally))
      .then(set)
    given(game, created, set)
      .when(changeGame({ fixedRooms: [] }, unconditionally))
      .then({ type: 'FixedRoomsSet', data: { rooms: [] } })
  })

  it('is not changed if it has changed since the caller read it', () => {
    const changedMeanwhile = () => {
      throw new Refusal('precondition', 'precondition_failed', 'Changed meanwhile.')
    }
    given(game, created)
      .when(changeGame({ name: 'X' }, changedMeanwhile))
      .refused('precondition', 'precondition_failed')
  })
})
