// Registrations, codes and take-overs whose call failed halfway.

import { expect } from 'chai'
import { foldStream } from '../../commands/fold.ts'
import { deletePlayer } from '../../commands/forget.ts'
import { createHandler } from '../../commands/handle.ts'
import { signOut } from '../../commands/player.ts'
import { playerNow } from '../../commands/player-now.ts'
import { start } from '../../commands/session.ts'
import { currentClaim, digestOf } from '../../commands/sign-in/claims.ts'
import { signInByCode } from '../../commands/sign-in/code.ts'
import { mailCode } from '../../commands/sign-in/mail-code.ts'
import { registerPlayer } from '../../commands/sign-in/register.ts'
import type { SignInDeps } from '../../commands/sign-in/sign-in-deps.ts'
import { claimLogin, login, loginStream, releaseLogin } from '../../domain/login.ts'
import { session, sessionStream } from '../../domain/session.ts'
import { finishSignIns } from '../../reactions/finish-sign-ins.ts'
import { runReactions } from '../../reactions/run.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import {
  asked,
  contextAt,
  GAME,
  LONG_AGO_MS,
  NETWORK,
  NOBODY,
  REGISTRATION,
  signInRig,
} from '../commands/sign-in/sign-in-rig.ts'
import { ownsAll } from '../memory/ownership.ts'
import { createMemoryViews } from '../memory/views.ts'
import { turn } from '../until.ts'

const EMAIL = 'ada@example.com'

/** The same, but a process that dies before it appends to such a stream. */
function dyingBefore(deps: SignInDeps, prefix: string): SignInDeps {
  const log: Log = {
    ...deps.log,
    append: async (stream, expected, events) => {
      if (stream.startsWith(prefix)) throw new NotSent('died')
      return deps.log.append(stream, expected, events)
    },
  }
  return { ...deps, handler: createHandler(log) }
}

/** Runs the reaction over all that is in the log, by a clock that passes the age which it waits for. */
async function settle(deps: SignInDeps): Promise<unknown[]> {
  let nowMs = Date.now()
  const now = () => {
    nowMs += 10_000
    return nowMs
  }
  const views = createMemoryViews()
  const failures: unknown[] = []
  const stop = new AbortController()
  const running = runReactions(
    { log: deps.log, views, failed: (_, error) => failures.push(error) },
    [finishSignIns(deps, now)],
    ownsAll,
    stop.signal,
  )
  const takes = ['LoginClaimed', 'PlayerEmailConfirmed']
  const last = (await deps.log.readAll(null, 1_000)).findLast(({ type }) => takes.includes(type))
  for (;;) {
    const saved = (await views.checkpoints('process_finish_sign_ins@1')).get(0)
    if (saved !== undefined && last !== undefined && saved.position >= last.position) break
    await turn()
  }
  stop.abort()
  await running
  return failures
}

const died = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it did not die'),
    (error: unknown) => expect(error).to.be.instanceOf(NotSent),
  )

describe('finishing sign-ins', () => {
  it('creates the player whose registration claimed a login and an address', async () => {
    const { deps } = signInRig()
    const form = { ...REGISTRATION, email: EMAIL }
    await died(registerPlayer(dyingBefore(deps, 'mail-'), { game: GAME, caller: NOBODY, form }, contextAt()))
    expect(await settle(deps)).to.deep.equal([])
    const holder = await currentClaim(deps, 'login', GAME, digestOf(deps, 'login', GAME, REGISTRATION.login))
    const state = await playerNow(deps, holder?.player ?? '')
    expect(state).to.include({ name: 'Ada', guest: false })
    expect(state?.links.map(({ kind, secret }) => [kind, secret])).to.deep.equal([
      ['login', holder?.secret],
      ['email', holder?.secret],
    ])
  })

  it('creates the player for whom a code claimed an address', async () => {
    const { deps, mails } = signInRig()
    await mailCode(deps, asked(EMAIL), LONG_AGO_MS)
    const sent = { email: EMAIL, code: mails[0]?.code ?? '', network: NETWORK, signedIn: null }
    await died(signInByCode(dyingBefore(deps, 'player-'), GAME, sent, contextAt()))
    expect(await settle(deps)).to.deep.equal([])
    const holder = await currentClaim(deps, 'email', GAME, digestOf(deps, 'email', GAME, EMAIL))
    expect((await playerNow(deps, holder?.player ?? ''))?.links).to.deep.include({
      kind: 'email',
      digest: digestOf(deps, 'email', GAME, EMAIL),
      secret: holder?.secret,
      confirmed: true,
    })
  })

  it('releases a login that its player cannot have because they have another one', async () => {
    const { deps, vault } = signInRig()
    const guest = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const { id } = guest
    // Two calls with one guest's token: each has claimed its login, and one is first.
    const digest = digestOf(deps, 'login', GAME, 'SECOND')
    const claim = { kind: 'login', player: id, secret: 's2', makes: false, name: null, email: null } as const
    await vault.putIfAbsent('password', 's2', Uint8Array.of(1))
    const place = { stream: loginStream(GAME, digest), game: GAME, player: id }
    await deps.handler.handle(login, place, contextAt(), claimLogin(claim))
    expect(await settle(deps)).to.deep.equal([])
    expect(await currentClaim(deps, 'login', GAME, digest)).to.equal(null)
    expect(await vault.get('password', 's2')).to.equal(null)
    expect((await playerNow(deps, id))?.links).to.have.length(1)
  })

  it('destroys the secrets of a released claim if the releasing call died in between', async () => {
    const { deps, vault } = signInRig()
    const { id, state } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const digest = digestOf(deps, 'login', GAME, 'SECOND')
    const claim = { kind: 'login', player: id, secret: 's2', makes: false, name: null, email: null } as const
    await vault.putIfAbsent('password', 's2', Uint8Array.of(1))
    const place = { stream: loginStream(GAME, digest), game: GAME, player: id }
    await deps.handler.handle(login, place, contextAt(), claimLogin(claim))
    await deps.handler.handle(login, place, contextAt(), releaseLogin('s2'))
    expect(await settle(deps)).to.deep.equal([])
    expect(await vault.get('password', 's2')).to.equal(null)
    expect(await vault.get('password', state.links[0]?.secret ?? '')).to.not.equal(null)
  })

  it('keeps the address of a taken-over player while the invalid login is not released yet', async () => {
    const { deps, mails, vault } = signInRig()
    const { id, state } = await registerPlayer(
      deps,
      { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } },
      contextAt(),
    )
    await mailCode(deps, asked(EMAIL), LONG_AGO_MS)
    const sent = { email: EMAIL, code: mails[0]?.code ?? '', network: NETWORK, signedIn: null }
    await died(signInByCode(dyingBefore(deps, 'login-'), GAME, sent, contextAt(LONG_AGO_MS + 1)))
    expect(await settle(deps)).to.deep.equal([])
    const secret = state.links[0]?.secret ?? ''
    expect((await playerNow(deps, id))?.links.map(({ kind, confirmed }) => [kind, confirmed])).to.deep.equal([
      ['email', true],
    ])
    const holders = [digestOf(deps, 'login', GAME, REGISTRATION.login), digestOf(deps, 'email', GAME, EMAIL)]
    expect(await currentClaim(deps, 'login', GAME, holders[0] ?? '')).to.equal(null)
    expect((await currentClaim(deps, 'email', GAME, holders[1] ?? ''))?.player).to.equal(id)
    expect(await vault.get('password', secret)).to.equal(null)
    expect(await vault.get('email', secret)).to.not.equal(null)
  })

  it('ends the sessions and secrets from before a take-over, and none since', async () => {
    const { deps, mails, vault } = signInRig()
    const { id, state } = await registerPlayer(
      deps,
      { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } },
      contextAt(),
    )
    const fresh = { game: GAME, player: id, key: 'ck_x', permissions: [], signOuts: 0 }
    const before = await start(deps, fresh, contextAt())
    await vault.putIfAbsent('guest-token', id, Uint8Array.of(1))
    await mailCode(deps, asked(EMAIL), LONG_AGO_MS)
    const sent = { email: EMAIL, code: mails[0]?.code ?? '', network: NETWORK, signedIn: null }
    await died(signInByCode({ ...dyingBefore(deps, 'login-') }, GAME, sent, contextAt(LONG_AGO_MS + 1)))
    await vault.putIfAbsent('guest-token', id, Uint8Array.of(1))
    const since = await start(deps, fresh, contextAt(LONG_AGO_MS + 2))
    const openSessions = async () => [
      { id: before.id, started: new Date(LONG_AGO_MS).toISOString(), signOuts: 0 },
      { id: since.id, started: new Date(LONG_AGO_MS + 2).toISOString(), signOuts: 0 },
    ]
    expect(await settle({ ...deps, openSessions })).to.deep.equal([])
    const isOver = async (one: string) => (await foldStream(deps.log, session, sessionStream(one)))?.ended
    expect([await isOver(before.id), await isOver(since.id)]).to.deep.equal([true, false])
    const [link] = state.links
    expect(await currentClaim(deps, 'login', GAME, link?.digest ?? '')).to.equal(null)
    expect([await vault.get('password', link?.secret ?? ''), await vault.get('guest-token', id)]).to.deep.equal([
      null,
      null,
    ])
  })

  it('ends the sessions from before a sign-out everywhere, and none since', async () => {
    const { deps } = signInRig()
    const { id } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const fresh = { game: GAME, player: id, key: 'ck_x', permissions: [] }
    const before = await start(deps, { ...fresh, signOuts: 0 }, contextAt())
    await signOut(deps, { game: GAME, player: id }, async () => [], contextAt())
    const since = await start(deps, { ...fresh, signOuts: 1 }, contextAt())
    const started = new Date(LONG_AGO_MS).toISOString()
    const openSessions = async () => [
      { id: before.id, started, signOuts: 0 },
      { id: since.id, started, signOuts: 1 },
    ]
    expect(await settle({ ...deps, openSessions })).to.deep.equal([])
    const isOver = async (one: string) => (await foldStream(deps.log, session, sessionStream(one)))?.ended
    expect([await isOver(before.id), await isOver(since.id)]).to.deep.equal([true, false])
  })

  it('does not claim an address again for a player who was deleted meanwhile', async () => {
    const { deps } = signInRig()
    const once = { ...contextAt(), call: 'register' }
    const { id, state } = await registerPlayer(
      deps,
      { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } },
      once,
    )
    const digest = state.links.find(({ kind }) => kind === 'email')?.digest ?? ''
    // It has found the login still claimed, and reaches the address after the login was released.
    let isFirst = true
    const readStream: Log['readStream'] = async (stream, from, limit) => {
      if (isFirst && stream.startsWith('mail-')) {
        isFirst = false
        await deletePlayer(deps, GAME, id, contextAt())
      }
      return deps.log.readStream(stream, from, limit)
    }
    const log = { ...deps.log, readStream }
    expect(await settle({ ...deps, log, handler: createHandler(log) })).to.deep.equal([])
    expect([isFirst, await currentClaim(deps, 'email', GAME, digest)]).to.deep.equal([false, null])
  })

  it('adds nothing after completed calls, however often the event is delivered', async () => {
    const { deps } = signInRig()
    await registerPlayer(deps, { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } }, contextAt())
    const before = await deps.log.readAll(null, 100)
    expect([...(await settle(deps)), ...(await settle(deps))]).to.deep.equal([])
    expect(await deps.log.readAll(null, 100)).to.deep.equal(before)
  })
})
