// Given what happened to a player, or to an external id, when a command comes, then these events follow.

import { expect } from 'chai'
import {
  claimExternalId,
  createPlayer,
  type ExternalEvent,
  externalId,
  namePlayer,
  type PlayerEvent,
  player,
} from '../../domain/player.ts'
import { given, timeAt } from './given.ts'

const data = { name: 'Ada', guest: true, externalId: null }
const created: PlayerEvent = { type: 'PlayerCreated', data }

describe('a player', () => {
  it('is created once', () => given(player).when(createPlayer(data)).then(created))

  it('created again changes nothing', () =>
    given(player, created)
      .when(createPlayer({ ...data, name: 'Eve' }))
      .then())

  it('is named anew, and the same name changes nothing', () => {
    const named: PlayerEvent = { type: 'PlayerNamed', data: { name: 'Eve' } }
    given(player, created).when(namePlayer('Eve')).then(named)
    given(player, created).when(namePlayer('Ada')).then()
    expect(given(player, created, named).state()).to.deep.equal({
      ...data,
      name: 'Eve',
      created: timeAt(0),
      links: [],
      takenOver: null,
    })
  })

  it('whose name can no longer be read is still there', () => {
    const unreadable: PlayerEvent = { type: 'PlayerCreated', data: { ...data, name: null } }
    expect(given(player, unreadable).state()).to.deep.equal({
      ...data,
      name: null,
      created: timeAt(0),
      links: [],
      takenOver: null,
    })
  })

  it('who is not there has no name', () =>
    given(player).when(namePlayer('Ada')).refused('not_found', 'player_not_found'))
})

describe('an external id', () => {
  const claim = { player: 'p1', name: 'Ada', externalId: 'x' }
  const claimed: ExternalEvent = { type: 'ExternalClaimed', data: claim }

  it('is claimed once; who comes second is told whose it is', () => {
    given(externalId).when(claimExternalId(claim)).thenOnce('external_id_taken', claimed)
    given(externalId, claimed)
      .when(claimExternalId({ ...claim, player: 'p2' }))
      .refused('conflict', 'external_id_taken', { player: 'p1' })
  })
})
