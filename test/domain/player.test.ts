// Given what happened to a player, or to an external id, when a command comes, then these events follow.

import { expect } from 'chai'
import {
  banPlayer,
  claimExternalId,
  createPlayer,
  deletePlayer,
  type ExternalEvent,
  endDueBan,
  externalId,
  namePlayer,
  type PlayerEvent,
  player,
  releaseExternalId,
  signOutPlayer,
  unbanPlayer,
} from '../../domain/player.ts'
import { isSignedOut } from '../../domain/session.ts'
import { given, START_MS, timeAt } from './given.ts'

const data = { name: 'Ada', guest: true, externalId: null }
const created: PlayerEvent = { type: 'PlayerCreated', data }

const FREE = { banned: null, deleted: false, links: [], takenOver: null, signOuts: 0 }
const NOW = START_MS + 60_000
const LATER = new Date(NOW + 1).toISOString()
const banned = (until: string | null, reason: string | null = null): PlayerEvent => ({
  type: 'PlayerBanned',
  data: { until, reason },
})
const unbanned: PlayerEvent = { type: 'PlayerUnbanned', data: {} }
const deleted: PlayerEvent = { type: 'PlayerDeleted', data: { external: null, links: [] } }

describe('a player', () => {
  it('is created once', () => given(player).when(createPlayer(data)).then(created))

  it('does not change if they are created again', () =>
    given(player, created)
      .when(createPlayer({ ...data, name: 'Eve' }))
      .then())

  it('is renamed, while the same name changes nothing', () => {
    const named: PlayerEvent = { type: 'PlayerNamed', data: { name: 'Eve' } }
    given(player, created).when(namePlayer('Eve')).then(named)
    given(player, created).when(namePlayer('Ada')).then()
    expect(given(player, created, named).state()).to.deep.equal({ ...data, name: 'Eve', created: timeAt(0), ...FREE })
  })

  it('still exists if their name is no longer readable', () => {
    const unreadable: PlayerEvent = { type: 'PlayerCreated', data: { ...data, name: null } }
    expect(given(player, unreadable).state()).to.deep.equal({ ...data, name: null, created: timeAt(0), ...FREE })
  })

  it('cannot be renamed if they do not exist', () =>
    given(player).when(namePlayer('Ada')).refused('not_found', 'player_not_found'))
})

describe('domain: signing out everywhere', () => {
  const signedOut = (times: number, sessions?: number): PlayerEvent => {
    return { type: 'PlayerSignedOut', data: { times, ...(sessions === undefined ? {} : { sessions }) } }
  }
  const begunAfter = (signOuts: number) =>
    isSignedOut({ signOuts }, given(player, created, signedOut(1)).state()?.signOuts)

  it('is counted each time', () => {
    given(player, created).when(signOutPlayer(0, 3)).then(signedOut(1, 3))
    given(player, created, signedOut(1)).when(signOutPlayer(1, 0)).then(signedOut(2, 0))
    given(player, created, signedOut(1)).when(signOutPlayer(0, 3)).then()
    expect(given(player, created, signedOut(1), signedOut(2)).state()).to.include({ signOuts: 2 })
  })

  it('ends earlier sessions, and none that began since', () => {
    expect([begunAfter(0), begunAfter(1)]).to.deep.equal([true, false])
    expect([isSignedOut({}), isSignedOut({}, 1), isSignedOut({ signOuts: 1 }, 2)]).to.deep.equal([false, true, true])
  })

  it('is refused for a missing player', () => {
    given(player).when(signOutPlayer(0, 0)).refused('not_found', 'player_not_found')
    given(player, created, deleted).when(signOutPlayer(0, 0)).refused('not_found', 'player_not_found')
  })
})

describe('domain: a ban', () => {
  it('is recorded once, and keeps its start when its end or reason is changed', () => {
    given(player, created)
      .when(banPlayer({ until: null, reason: 'cheats' }, NOW))
      .then(banned(null, 'cheats'))
    const history = [created, banned(null, 'cheats'), banned(LATER)] as const
    given(player, created, banned(null, 'cheats'))
      .when(banPlayer({ until: LATER, reason: null }, NOW))
      .then(banned(LATER))
    expect(given(player, ...history).state()?.banned).to.deep.equal({ since: timeAt(1), until: LATER, reason: null })
  })

  it('is refused if its end has passed, whatever the present state', () => {
    for (const until of [new Date(NOW).toISOString(), timeAt(0)]) {
      given(player, created)
        .when(banPlayer({ until, reason: null }, NOW))
        .refused('unprocessable', 'ban_end_passed')
    }
  })

  it('is lifted, while lifting no ban changes nothing', () => {
    given(player, created, banned(null)).when(unbanPlayer).then(unbanned)
    given(player, created).when(unbanPlayer).then()
    expect(given(player, created, banned(null), unbanned).state()).to.deep.equal({
      ...data,
      created: timeAt(0),
      ...FREE,
    })
    expect(given(player, created, banned(null), unbanned, banned(null)).state()?.banned?.since).to.equal(timeAt(3))
  })

  it('ends when it is due and not before, and never if it has no end', () => {
    given(player, created, banned(LATER))
      .when(endDueBan(NOW + 1))
      .then(unbanned)
    given(player, created, banned(LATER)).when(endDueBan(NOW)).then()
    given(player, created, banned(LATER), banned(null))
      .when(endDueBan(NOW + 1))
      .then()
    given(player, created, banned(LATER), unbanned)
      .when(endDueBan(NOW + 1))
      .then()
    given(player, created, banned(LATER), deleted)
      .when(endDueBan(NOW + 1))
      .then()
    given(player).when(endDueBan(NOW)).then()
  })
})

describe('domain: a deleted player', () => {
  it('is deleted once, and the event names the stream of their external id', () => {
    const digestOf = (id: string) => `digest of ${id}`
    given(player, created).when(deletePlayer(digestOf)).thenOnce('player_not_found', deleted)
    const known: PlayerEvent = { type: 'PlayerCreated', data: { ...data, externalId: 'x' } }
    const gone: PlayerEvent = { type: 'PlayerDeleted', data: { external: 'digest of x', links: [] } }
    given(player, known, banned(null)).when(deletePlayer(digestOf)).thenOnce('player_not_found', gone)
    expect(given(player, known, banned(null), gone).state()).to.deep.equal({
      name: null,
      guest: true,
      externalId: null,
      created: timeAt(0),
      ...FREE,
      deleted: true,
    })
  })

  it('does not exist for any command and is not created again', () => {
    const there = given(player, created, deleted)
    for (const decision of [namePlayer('Eve'), banPlayer({ until: null, reason: null }, NOW), unbanPlayer]) {
      there.when(decision).refused('not_found', 'player_not_found')
    }
    there.when(createPlayer(data)).then()
  })
})

describe('an external id', () => {
  const claim = { player: 'p1', name: 'Ada', externalId: 'x' }
  const claimed: ExternalEvent = { type: 'ExternalClaimed', data: claim }

  it('is claimed once, and a second claim gets the owner’s id', () => {
    given(externalId).when(claimExternalId(claim)).thenOnce('external_id_taken', claimed)
    given(externalId, claimed)
      .when(claimExternalId({ ...claim, player: 'p2' }))
      .refused('conflict', 'external_id_taken', { player: 'p1' })
  })

  it('is released by its owner, after which another player may claim it', () => {
    const released: ExternalEvent = { type: 'ExternalReleased', data: { player: 'p1' } }
    given(externalId, claimed).when(releaseExternalId('p1')).then(released)
    given(externalId, claimed).when(releaseExternalId('p2')).then()
    given(externalId).when(releaseExternalId('p1')).then()
    const other = { ...claim, player: 'p2' }
    given(externalId, claimed, released)
      .when(claimExternalId(other))
      .thenOnce('external_id_taken', { type: 'ExternalClaimed', data: other })
  })
})
