// What the commands record: the stream, the events with their data, and the metadata that names game, board and player.

import { expect } from 'chai'
import {
  ban,
  endBan,
  externalDigest,
  makeGuest,
  makePlayer,
  remove,
  rename,
  signOut,
  unban,
} from '../../commands/player.ts'
import { end, endAll, ownerOf, start } from '../../commands/session.ts'
import { registerPlayer } from '../../commands/sign-in/register.ts'
import { toBase64url } from '../../credentials/text.ts'
import type { Noted } from '../../stores/contract/revocations.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { type RecordingRig, recordingRig, typesOf } from './recording-rig.ts'
import { contextAt, GAME, LONG_AGO_MS, NOBODY, REGISTRATION, signInRig } from './sign-in/sign-in-rig.ts'

describe('the commands of players', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const made = async () => {
    const { id } = await makeGuest(rig.deps, GAME, 'Ada', contextAt())
    await rig.recorded()
    return { game: GAME, player: id }
  }

  it('create a guest, whose name is their own or Guest with the start of their id', async () => {
    const [named, unnamed] = [
      await makeGuest(rig.deps, GAME, 'Ada', contextAt()),
      await makeGuest(rig.deps, GAME, null, contextAt()),
    ]
    const event = (id: string, name: string) => ({
      stream: `player-${id}`,
      type: 'PlayerCreated',
      data: { name, guest: true, externalId: null },
      about: { game: GAME, player: id },
    })
    expect(await rig.recorded()).to.deep.equal([
      event(named.id, 'Ada'),
      event(unnamed.id, `Guest${unnamed.id.slice(0, 4)}`),
    ])
  })

  it('claim an external id, then create its player, who is not a guest', async () => {
    const { id } = await makePlayer(rig.deps, GAME, { name: 'Ada', externalId: 'steam:1' }, contextAt())
    const data = { name: 'Ada', externalId: 'steam:1' }
    const about = { game: GAME, player: id }
    const digest = externalDigest(rig.deps, GAME, 'steam:1')
    expect(digest).to.match(/^[0-9a-f]{64}$/)
    expect(await rig.recorded()).to.deep.equal([
      { stream: `external-${GAME}.${digest}`, type: 'ExternalClaimed', data: { player: id, ...data }, about },
      { stream: `player-${id}`, type: 'PlayerCreated', data: { ...data, guest: false }, about },
    ])
    expect(
      await refusalCodeOf(makePlayer(rig.deps, GAME, { name: 'Eve', externalId: 'steam:1' }, contextAt())),
    ).to.equal('external_id_taken')
  })

  it('claim nothing for a player without an external id', async () => {
    const { id } = await makePlayer(rig.deps, GAME, { name: 'Ada', externalId: null }, contextAt())
    expect(typesOf(await rig.recorded())).to.deep.equal([`player-${id} PlayerCreated`])
  })

  it('tell external ids apart by game', () => {
    const digests = [
      externalDigest(rig.deps, 'a', 'x'),
      externalDigest(rig.deps, 'b', 'x'),
      externalDigest(rig.deps, 'a', 'y'),
    ]
    expect(new Set(digests).size).to.equal(3)
  })

  it('rename a player', async () => {
    const place = await made()
    await rename(rig.deps, place, 'Eve', contextAt())
    expect(typesOf(await rig.recorded())).to.deep.equal([`player-${place.player} PlayerNamed`])
    expect(rig.published).to.deep.equal([])
  })

  it('publish a ban, its end and a deletion', async () => {
    const place = await made()
    const until = new Date(LONG_AGO_MS + 1_000).toISOString()
    await ban(rig.deps, place, { until, reason: 'cheats' }, contextAt())
    await endBan(rig.deps, place, contextAt(LONG_AGO_MS + 999))
    await endBan(rig.deps, place, contextAt(LONG_AGO_MS + 1_000))
    await ban(rig.deps, place, { until: null, reason: null }, contextAt())
    await unban(rig.deps, place, contextAt())
    await remove(rig.deps, place, contextAt())
    const types = (await rig.recorded()).map(({ type }) => type)
    expect(types).to.deep.equal(['PlayerBanned', 'PlayerUnbanned', 'PlayerBanned', 'PlayerUnbanned', 'PlayerDeleted'])
    const status = (banned: object | null, deleted = false) => ({ banned, deleted, signOuts: 0 })
    expect(rig.published.map((one) => one.status)).to.deep.equal([
      status({ until, reason: 'cheats' }),
      status({ until, reason: 'cheats' }),
      status(null),
      status({ until: null, reason: null }),
      status(null),
      status(null, true),
    ])
    expect(new Set(rig.published.map(({ subject }) => subject))).to.deep.equal(new Set([`player:${place.player}`]))
  })

  it('name the claim of the external id of a player who is deleted', async () => {
    const { id } = await makePlayer(rig.deps, GAME, { name: 'Ada', externalId: 'steam:1' }, contextAt())
    await rig.recorded()
    await remove(rig.deps, { game: GAME, player: id }, contextAt())
    const [deleted] = await rig.recorded()
    expect(deleted?.data).to.deep.equal({ external: externalDigest(rig.deps, GAME, 'steam:1'), links: [] })
  })

  it('refuse to sign out a player who does not exist', async () => {
    const ref = { game: GAME, player: 'nobody' }
    expect(await refusalCodeOf(signOut(rig.deps, ref, async () => [], contextAt()))).to.equal('player_not_found')
  })

  it('count the open sessions that signing out everywhere ends', async () => {
    const place = await made()
    const open = async () => [{ signOuts: 0 }, {}, { signOuts: 1 }]
    expect((await signOut(rig.deps, place, open, contextAt())).ended).to.equal(3)
    expect((await signOut(rig.deps, place, open, contextAt())).ended).to.equal(1)
    expect((await rig.recorded()).map(({ data }) => data)).to.deep.equal([
      { times: 1, sessions: 3 },
      { times: 2, sessions: 1 },
    ])
  })
})

describe('the commands of sessions', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const FRESH = { game: GAME, player: 'ada', key: 'ck_x', permissions: ['lb:*:*'], signOuts: 2 }

  it('start a session of 30 days, whose refresh token names it', async () => {
    const { id, refreshToken } = await start(rig.deps, FRESH, contextAt())
    expect(refreshToken).to.match(new RegExp(`^${id}\\.[\\w-]{43}$`))
    expect(await ownerOf(rig.deps, 'refresh-token', refreshToken)).to.equal(id)
    const { game: _, ...data } = FRESH
    expect(await rig.recorded()).to.deep.equal([
      {
        stream: `session-${id}`,
        type: 'SessionStarted',
        data: { ...data, expires: '2026-01-31T00:00:00.000Z' },
        about: { game: GAME, player: 'ada' },
      },
    ])
  })

  it('recognize no token but the one that was given', async () => {
    const { id, refreshToken } = await start(rig.deps, FRESH, contextAt())
    const secret = refreshToken.slice(id.length + 1)
    const other = toBase64url(new Uint8Array(32).fill(1))
    const zeros = toBase64url(new Uint8Array(32))
    const wrong = ['', id, `${id}.`, `${id}.${other}`, `none.${secret}`, `none.${zeros}`, `none.`, `${refreshToken}.`]
    for (const token of [...wrong, `${refreshToken}.x`, `${id}.${secret.slice(1)}`]) {
      expect(await refusalCodeOf(ownerOf(rig.deps, 'refresh-token', token)), token).to.equal('sign_in_rejected')
    }
    expect(await refusalCodeOf(ownerOf(rig.deps, 'guest-token', refreshToken))).to.equal('sign_in_rejected')
  })

  it('end a session once, and publish that each time', async () => {
    const { id } = await start(rig.deps, FRESH, contextAt())
    await rig.recorded()
    const place = { game: GAME, player: 'ada', session: id }
    expect((await end(rig.deps, place, contextAt())).events).to.have.length(1)
    expect((await end(rig.deps, place, contextAt())).events).to.have.length(0)
    expect(await rig.recorded()).to.deep.equal([
      { stream: `session-${id}`, type: 'SessionEnded', data: {}, about: { game: GAME, player: 'ada' } },
    ])
    const change = { subject: `session:${id}`, status: { ended: true } }
    expect(rig.published.map(({ subject, status }) => ({ subject, status }))).to.deep.equal([change, change])
  })

  it('end sessions 50 at once, publish each group, and count those that this call ended', async () => {
    const ids: string[] = []
    for (let n = 0; n < 51; n++) ids.push((await start(rig.deps, FRESH, contextAt())).id)
    await end(rig.deps, { game: GAME, player: 'ada', session: ids[0] ?? '' }, contextAt())
    const groups: number[] = []
    const counting = { ...rig.deps, publish: async (changes: readonly Noted[]) => void groups.push(changes.length) }
    const result = await endAll(counting, { game: GAME, player: 'ada', sessions: ids }, contextAt())
    expect([result.ended, result.handled.length, groups]).to.deep.equal([50, 51, [50, 1]])
    const last = (await rig.log.readAll(null, 1_000)).at(-1)?.position
    expect([result.written, result.currentPosition]).to.deep.equal([
      { game: GAME, position: last },
      { game: GAME, position: last },
    ])
    const again = await endAll(rig.deps, { game: GAME, player: 'ada', sessions: ids }, contextAt())
    expect([again.ended, again.written]).to.deep.equal([0, null])
    const none = await endAll(rig.deps, { game: GAME, player: 'ada', sessions: [] }, contextAt())
    expect(none).to.deep.equal({ handled: [], ended: 0, written: null, currentPosition: undefined })
  })

  it('publish the sessions that were ended before another one failed', async () => {
    const [one, two] = [await start(rig.deps, FRESH, contextAt()), await start(rig.deps, FRESH, contextAt())]
    const failure = new Error('the log is unavailable')
    const { handler } = rig.deps
    const handle: typeof handler.handle = (aggregate, about, context, decision) =>
      about.stream === `session-${one.id}`
        ? Promise.reject(failure)
        : handler.handle(aggregate, about, context, decision)
    const failing = { ...rig.deps, handler: { ...handler, handle } }
    const sessions = [one.id, two.id]
    const error = await endAll(failing, { game: GAME, player: 'ada', sessions }, contextAt()).catch((e: unknown) => e)
    expect(error).to.equal(failure)
    expect(rig.published.map(({ subject }) => subject)).to.deep.equal([`session:${two.id}`])
  })
})

describe('commands: signing out everywhere', () => {
  it('answers the first number of ended sessions when repeated', async () => {
    const { deps } = signInRig()
    const { id } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const once = { ...contextAt(), call: 'sign out' }
    const open = (...signOuts: number[]) =>
      signOut(deps, { game: GAME, player: id }, async () => signOuts.map((n) => ({ signOuts: n })), once)
    expect(await open(0, 0)).to.include({ ended: 2, replayed: false })
    // The call died before it ended them one by one; the views still show them, or another since.
    expect(await open(0, 0, 1)).to.include({ ended: 2, replayed: true })
    expect(await open()).to.include({ ended: 2, replayed: true })
  })

  it('does not count sessions that an earlier sign-out has ended', async () => {
    const { deps } = signInRig()
    const { id } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const open = (...signOuts: number[]) =>
      signOut(deps, { game: GAME, player: id }, async () => signOuts.map((n) => ({ signOuts: n })), contextAt())
    expect((await open(0, 0)).ended).to.equal(2)
    expect((await open(0, 0, 1)).ended).to.equal(1)
  })

  it('counts no sessions if a concurrent sign-out has ended them', async () => {
    const { deps } = signInRig()
    const { id } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const none = async () => []
    const first = async () => {
      await signOut(deps, { game: GAME, player: id }, none, contextAt())
      return [{ signOuts: 0 }]
    }
    expect((await signOut(deps, { game: GAME, player: id }, first, contextAt())).ended).to.equal(0)
  })
})
