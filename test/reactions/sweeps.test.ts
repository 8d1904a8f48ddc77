// What the sweeps remove: vault secrets of a login claim that was never recorded, because its call failed after storing
// them, and sessions that have ended.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { start } from '../../commands/session.ts'
import { registerPlayer } from '../../commands/sign-in/register.ts'
import type { SignInDeps } from '../../commands/sign-in/sign-in-deps.ts'
import { unsafeCast } from '../../domain/event.ts'
import type { LoginBegunData } from '../../domain/login.ts'
import { ALL_PARTITIONS } from '../../domain/partition.ts'
import { SESSION_LIFETIME_MS } from '../../domain/session.ts'
import { viewKey, viewSpec } from '../../projections/projection.ts'
import { sessions } from '../../projections/sessions.ts'
import { EXPIRED_KEPT_MS, sweepSecrets, sweepSessions, UNCLAIMED_KEPT_MS } from '../../reactions/sweep-credentials.ts'
import { NotSent } from '../../stores/contract/log.ts'
import type { Secret, SecretKind } from '../../stores/contract/vault.ts'
import { contextAt, GAME, LONG_AGO_MS, NOBODY, REGISTRATION, signInRig } from '../commands/sign-in/sign-in-rig.ts'
import { createMemoryViews } from '../memory/views.ts'
import { viewInMemory } from '../projections/view-in-memory.ts'

const SENT = { ...REGISTRATION, email: 'ada@example.com' }
type Rig = ReturnType<typeof signInRig>

/** Dependencies with which a call fails before it records the claim, and deletes no secrets. */
function dying({ deps, log }: Rig): SignInDeps {
  const append: typeof log.append = (stream, expected, events) =>
    events.some(({ type }) => type === 'LoginClaimed')
      ? Promise.reject(new NotSent('died'))
      : log.append(stream, expected, events)
  return { ...deps, handler: createHandler({ ...log, append }), vault: { ...deps.vault, destroy: async () => {} } }
}

/** Delivers all LoginBegun events to the reaction at the time `nowMs`. */
async function sweep({ deps, log }: Rig, nowMs: number): Promise<void> {
  const reaction = sweepSecrets({ commands: deps, now: () => nowMs })
  for (const event of await log.readAll(null, 100)) {
    if (reaction.takes.includes(event.type)) await reaction.react(event, new AbortController().signal)
  }
}

const kept = async ({ vault }: Rig): Promise<string[]> =>
  (await vault.scan(null, 100)).map(({ kind }: Secret) => kind).filter((kind) => kind !== 'player-key')

describe('secrets of a login claim that was never recorded', () => {
  const later = LONG_AGO_MS + UNCLAIMED_KEPT_MS

  it('are destroyed, both the hash and the address', async () => {
    const rig = signInRig()
    await registerPlayer(dying(rig), { game: GAME, caller: NOBODY, form: SENT }, contextAt()).then(
      () => expect.fail('it was claimed'),
      () => {},
    )
    expect(await kept(rig)).to.deep.equal(['email', 'login', 'password'])
    const [loginBegun] = await rig.log.readAll(null, 10)
    const { secret } = unsafeCast<LoginBegunData>(loginBegun?.data)
    expect(await rig.vault.get('password', secret)).not.to.equal(null)
    await sweep(rig, later)
    expect(await kept(rig)).to.deep.equal([])
  })

  it('stay if the claim was recorded, even if it was released since', async () => {
    const rig = signInRig()
    await registerPlayer(rig.deps, { game: GAME, caller: NOBODY, form: SENT }, contextAt())
    await sweep(rig, later)
    expect(await kept(rig)).to.deep.equal(['email', 'login', 'password'])
  })

  it('stay after the call is repeated, so that the repeat can still record the claim', async () => {
    const rig = signInRig()
    const once = { ...contextAt(), call: 'register' }
    await registerPlayer(dying(rig), { game: GAME, caller: NOBODY, form: SENT }, once).catch(() => {})
    const again = { ...once, nowMs: later - 1 }
    await registerPlayer(dying(rig), { game: GAME, caller: NOBODY, form: SENT }, again).catch(() => {})
    const [first, second] = await rig.log.readAll(null, 10)
    expect([first?.type, second?.type]).to.deep.equal(['LoginBegun', 'LoginBegun'])
    const reaction = sweepSecrets({ commands: rig.deps, now: () => later })
    if (first !== undefined) await reaction.react(first, new AbortController().signal)
    expect(await kept(rig)).to.deep.equal(['email', 'login', 'password'])
    expect((await registerPlayer(rig.deps, { game: GAME, caller: NOBODY, form: SENT }, again)).made).to.equal(true)
    await sweep(rig, later + UNCLAIMED_KEPT_MS)
    expect(await kept(rig)).to.deep.equal(['email', 'login', 'password'])
  })

  it('are left to the new owner of the partition if this node lost it while reading', async () => {
    const rig = signInRig()
    await registerPlayer(dying(rig), { game: GAME, caller: NOBODY, form: SENT }, contextAt()).catch(() => {})
    const [loginBegun] = await rig.log.readAll(null, 10)
    const lost = new AbortController()
    const readStream: typeof rig.log.readStream = async (...asked) => {
      const found = await rig.log.readStream(...asked)
      setTimeout(() => lost.abort(), 0)
      return found
    }
    const commands = { ...rig.deps, log: { ...rig.log, readStream } }
    const reaction = sweepSecrets({ commands, now: () => later })
    if (loginBegun !== undefined) await reaction.react(loginBegun, lost.signal)
    expect(await kept(rig)).to.deep.equal(['email', 'login', 'password'])
  })

  it('stay while the claim can still be recorded', async () => {
    const rig = signInRig()
    await registerPlayer(dying(rig), { game: GAME, caller: NOBODY, form: SENT }, contextAt()).catch(() => {})
    const stopped = new AbortController()
    stopped.abort()
    const reaction = sweepSecrets({ commands: rig.deps, now: () => later - 1 })
    const [loginBegun] = await rig.log.readAll(null, 10)
    if (loginBegun !== undefined) await reaction.react(loginBegun, stopped.signal)
    expect(await kept(rig)).to.deep.equal(['email', 'login', 'password'])
  })
})

const ALL = new Set(ALL_PARTITIONS)
const running = new AbortController().signal
const SWEPT_MS = LONG_AGO_MS + SESSION_LIFETIME_MS + EXPIRED_KEPT_MS
const KINDS = ['refresh-token', 'session-used'] as const

/** `count` sessions that began long ago, and one that began a day later. */
async function world(count: number) {
  const { deps, log, vault } = signInRig()
  const fresh = { game: GAME, player: 'p1', key: 'ck_x', permissions: [], signOuts: 0 }
  const ids: string[] = []
  for (let n = 0; n <= count; n++) {
    const { id } = await start(deps, fresh, contextAt(LONG_AGO_MS + (n === count ? 24 * 3_600_000 : 0)))
    await vault.putIfAbsent('session-used', id, Buffer.from('2026-01-02'))
    ids.push(id)
  }
  const views = createMemoryViews()
  const view = viewInMemory(sessions)
  view.apply(...(await log.readAll(null, 10_000)))
  await views.prepare(viewSpec(sessions))
  const writes = Object.entries(view.documents('sessions')).map(([id, body]) => {
    return { collection: 'sessions', id, pos: '1', body }
  })
  await views.commit([{ view: viewKey(sessions), writes, checkpoints: new Map() }])
  const queries = { views, viewKey: () => viewKey(sessions) } as never
  const left = async () => Promise.all(KINDS.map((kind) => vault.idsOf(kind, null, 10_000)))
  return { vault, reaction: sweepSessions({ commands: deps, queries }), last: ids.at(-1) ?? '', left }
}

describe('the reaction that sweeps sessions', () => {
  it('destroys both of an expired session a day after its end, and neither of a live one', async () => {
    const { reaction, last, left } = await world(3)
    const before = await left()
    await reaction.run(ALL, SWEPT_MS - 1, running)
    expect(await left()).to.deep.equal(before)
    await reaction.run(ALL, SWEPT_MS, running)
    expect(await left()).to.deep.equal([[last], [last]])
  })

  it('destroys a day of last use whose token is gone, and leaves other secrets and unknown sessions alone', async () => {
    const { vault, reaction, last, left } = await world(1)
    const gone = (await left())[1]?.find((id) => id !== last) ?? ''
    await vault.destroy('refresh-token', gone)
    for (const kind of ['refresh-token', 'guest-token'] satisfies SecretKind[])
      await vault.putIfAbsent(kind, 'unknown', Buffer.from('x'))
    await reaction.run(ALL, SWEPT_MS, running)
    expect(await left()).to.deep.equal([[last, 'unknown'].toSorted(), [last]])
    expect(await vault.get('guest-token', 'unknown')).not.to.equal(null)
  })

  it('continues where the last run ended, and reads a limited number at each', async () => {
    const { reaction, last, left } = await world(1_200)
    await reaction.run(ALL, SWEPT_MS, running)
    const [tokens, days] = await left()
    // The live session is among the first 1,000, or not.
    for (const count of [tokens?.length, days?.length]) expect(count).to.be.within(201, 202)
    await reaction.run(ALL, SWEPT_MS, running)
    expect(await left()).to.deep.equal([[last], [last]])
  })

  it('runs on the owner of the first partition only, and not after it was stopped', async () => {
    const { reaction, left } = await world(1)
    const before = await left()
    await reaction.run(new Set([1]), SWEPT_MS, running)
    await reaction.run(ALL, SWEPT_MS, AbortSignal.abort())
    expect(await left()).to.deep.equal(before)
  })
})
