// Vault secrets of a login claim that was never recorded, because its call failed after storing them.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { registerPlayer } from '../../commands/sign-in/register.ts'
import type { SignInDeps } from '../../commands/sign-in/sign-in-deps.ts'
import { unsafeCast } from '../../domain/event.ts'
import type { LoginBegunData } from '../../domain/login.ts'
import { sweepSecrets, UNCLAIMED_KEPT_MS } from '../../reactions/sweep-secrets.ts'
import { NotSent } from '../../stores/contract/log.ts'
import type { Secret } from '../../stores/contract/vault.ts'
import { contextAt, GAME, LONG_AGO_MS, NOBODY, REGISTRATION, signInRig } from '../commands/sign-in/sign-in-rig.ts'

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
