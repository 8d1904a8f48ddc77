// Given what happened to a login or an address, and to its player, when a command comes, then these events follow.

import { expect } from 'chai'
import type { Link } from '../../domain/links.ts'
import { claimEmail, claimLogin, type LoginEvent, login, releaseLogin } from '../../domain/login.ts'
import { type PlayerEvent, player } from '../../domain/player.ts'
import { confirmEmail, register } from '../../domain/registration.ts'
import { given, timeAt } from './given.ts'

const claim = { kind: 'login', player: 'p1', secret: 's1', makes: true, name: 'Ada', email: null } as const
const claimed: LoginEvent = { type: 'LoginClaimed', data: claim }
const released: LoginEvent = { type: 'LoginReleased', data: { player: 'p1' } }
const others = { ...claim, player: 'p2', secret: 's2' }

describe('a login', () => {
  it('is claimed once', () => {
    given(login).when(claimLogin(claim)).then(claimed)
    given(login, claimed).when(claimLogin(others)).refused('conflict', 'login_taken')
  })
  it('is free again once its claim is released', () => {
    given(login, claimed).when(releaseLogin('s1')).then(released)
    given(login, claimed).when(releaseLogin('s2')).then()
    given(login).when(releaseLogin('s1')).then()
    given(login, claimed, released).when(claimLogin(others)).then({ type: 'LoginClaimed', data: others })
    expect(given(login, claimed, released).state()).to.equal(null)
  })
  it('stays with its owner after another player has contested it', () => {
    const contested: LoginEvent = { type: 'LoginContested', data: { player: 'p2' } }
    given(login, claimed).when(claimEmail(others, true)).thenEachTime(contested)
    given(login, claimed).when(claimEmail(others, false)).then()
    expect(given(login, claimed, contested).state()).to.deep.equal(claim)
    given(login).when(claimEmail(claim, true)).then(claimed)
  })
})

const own: Link = { kind: 'login', digest: 'd1', secret: 's1', confirmed: true }
const email: Link = { kind: 'email', digest: 'd2', secret: 's1', confirmed: false }
const created = (guest: boolean): PlayerEvent => ({
  type: 'PlayerCreated',
  data: { name: 'Ada', guest, externalId: null },
})
const linked = (data: Link): PlayerEvent => ({ type: 'PlayerLinked', data })
const named: PlayerEvent = { type: 'PlayerNamed', data: { name: 'Eve' } }

describe('domain: registering a player', () => {
  const fresh = { makes: true, name: 'Ada', links: [own, email], session: null }
  const there = { makes: false, name: null, links: [own, email], session: null }
  const history = [created(true), linked(own), linked(email)]

  it('creates them with their sign-in methods', () =>
    given(player).when(register(fresh)).then(created(false), linked(own), linked(email)))

  it('ends the guest status of a guest and renames them if requested', () => {
    given(player, created(true)).when(register(there)).then(linked(own), linked(email))
    given(player, created(true))
      .when(register({ ...there, name: 'Eve' }))
      .then(named, linked(own), linked(email))
    expect(given(player, ...history).state()).to.deep.equal({
      name: 'Ada',
      guest: false,
      externalId: null,
      created: timeAt(0),
      links: [own, email],
      takenOver: null,
      signOuts: 0,
      banned: null,
      deleted: false,
    })
  })

  it('adds nothing to a player who has the login, and refuses one who has another', () => {
    given(player, ...history)
      .when(register(there))
      .then()
    const another = { ...there, links: [{ ...own, digest: 'd9', secret: 's9' }] }
    given(player, ...history)
      .when(register(another))
      .refused('conflict', 'already_registered')
  })

  it('keeps their present address', () => {
    const earlier = linked({ ...email, digest: 'd8', secret: 's8', confirmed: true })
    given(player, created(false), earlier).when(register(there)).then(linked(own))
  })

  it('is refused for a missing player', () =>
    given(player).when(register(there)).refused('unauthenticated', 'sign_in_rejected'))
})

describe('confirming an address', () => {
  const code = { digest: 'd2', takesOver: true, session: 'x1' }
  const confirmed = (takesOver: boolean): PlayerEvent => ({
    type: 'PlayerEmailConfirmed',
    data: { ...code, takesOver, login: takesOver ? { digest: 'd1', secret: 's1' } : null },
  })
  const history = [created(true), linked(own), linked(email)]

  it('takes the player over and unlinks the login', () => {
    given(player, ...history)
      .when(confirmEmail(code))
      .then(confirmed(true))
    expect(given(player, ...history, confirmed(true)).state()).to.deep.include({
      links: [{ ...email, confirmed: true }],
      takenOver: { time: timeAt(3), session: code.session },
    })
    given(player, ...history, confirmed(true))
      .when(confirmEmail(code))
      .then()
  })

  it('refuses a login from a session that began before the take-over', () => {
    const taken = given(player, ...history, confirmed(true))
    const backdoor = { makes: false, name: null, links: [{ ...own, secret: 's-backdoor' }] }
    const before = [null, { id: 'squatter', started: timeAt(2) }, { id: 'squatter', started: timeAt(3) }]
    for (const session of before) {
      taken.when(register({ ...backdoor, session })).refused('unauthenticated', 'sign_in_rejected')
    }
    const linkedAnew: PlayerEvent = { type: 'PlayerLinked', data: { ...own, secret: 's-backdoor' } }
    taken.when(register({ ...backdoor, session: { id: code.session, started: timeAt(3) } })).then(linkedAnew)
    taken.when(register({ ...backdoor, session: { id: 'later', started: timeAt(4) } })).then(linkedAnew)
  })

  it('keeps everything if the player themselves is signed in', () => {
    given(player, ...history)
      .when(confirmEmail({ ...code, takesOver: false }))
      .then(confirmed(false))
    expect(given(player, ...history, confirmed(false)).state()).to.deep.include({
      links: [own, { ...email, confirmed: true }],
      takenOver: null,
      signOuts: 0,
    })
  })

  it('is refused if the address is not theirs, or without a player', () => {
    const other = { ...code, digest: 'd7' }
    given(player, ...history)
      .when(confirmEmail(other))
      .refused('unauthenticated', 'sign_in_rejected')
    given(player).when(confirmEmail(code)).refused('unauthenticated', 'sign_in_rejected')
  })
})
