// A proof of identity may become invalid before its session has started: then the session ends at once and the call
// fails.

import { expect } from 'chai'
import type { CommandContext } from '../../../commands/command-context.ts'
import { makeGuest, makePlayer, remove } from '../../../commands/player.ts'
import { storeTokenHash } from '../../../commands/session.ts'
import { beginSession } from '../../../commands/sign-in/begin.ts'
import { signInByCode } from '../../../commands/sign-in/code.ts'
import { knownGuest } from '../../../commands/sign-in/guest.ts'
import { mailCode } from '../../../commands/sign-in/mail-code.ts'
import { signInByPassword } from '../../../commands/sign-in/password.ts'
import { registerPlayer } from '../../../commands/sign-in/register.ts'
import type { Proven, SignInDeps } from '../../../commands/sign-in/sign-in-deps.ts'
import { makeTicket, redeemTicket } from '../../../commands/sign-in/ticket.ts'
import { Refusal } from '../../../domain/decider.ts'
import type { Player } from '../../../domain/player.ts'
import { asked, contextAt, GAME, LONG_AGO_MS, NETWORK, NOBODY, REGISTRATION, signInRig } from './sign-in-rig.ts'

const EMAIL = 'ada@example.com'
const CALLER = { key: 'ck_x', permissions: [] }
const DEVICE = { login: REGISTRATION.login, password: REGISTRATION.password, network: '127.0.0.1' }

type Rig = ReturnType<typeof signInRig>

async function byCode({ deps, mails }: Rig): Promise<Proven<Player>> {
  await mailCode(deps, asked(EMAIL), LONG_AGO_MS)
  return signInByCode(
    deps,
    GAME,
    { email: EMAIL, code: mails.at(-1)?.code ?? '', network: NETWORK, signedIn: null },
    contextAt(),
  )
}

const WAYS: Readonly<Record<string, (rig: Rig) => Promise<Proven<Player>>>> = {
  'a code': byCode,
  async 'a ticket'({ deps }) {
    const { id } = await makePlayer(deps, GAME, { name: 'Ada', externalId: null }, contextAt())
    const { ticket } = await makeTicket(deps, GAME, { id, made: null }, contextAt())
    return redeemTicket(deps, GAME, ticket, contextAt())
  },
  async 'a guest’s token'({ deps }) {
    const context = contextAt()
    const { id } = await makeGuest(deps, GAME, null, context)
    const token = await storeTokenHash(deps, 'guest-token', id, context.generator.secret('guest token'))
    return knownGuest(deps, GAME, token, LONG_AGO_MS)
  },
  async 'a password'({ deps }) {
    await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    return signInByPassword(deps, GAME, DEVICE, contextAt())
  },
}

async function outcomeOf(
  deps: SignInDeps,
  proven: Proven<Player>,
  context: CommandContext = contextAt(),
): Promise<string> {
  return beginSession(deps, { game: GAME, player: proven, caller: CALLER }, context).then(
    () => 'begun',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code
      throw error
    },
  )
}

/** Types of the events of all sessions, in the order of the log. */
async function ofSessions({ log }: Rig): Promise<string[]> {
  const events = await log.readAll(null, 1_000)
  return events.filter(({ stream }) => stream.startsWith('session-')).map(({ type }) => type)
}

describe('a proof of identity', () => {
  for (const [what, prove] of Object.entries(WAYS)) {
    it(`by ${what} is valid until the player is deleted`, async () => {
      const rig = signInRig()
      const proven = await prove(rig)
      expect(await outcomeOf(rig.deps, proven)).to.equal('begun')
      expect(await ofSessions(rig)).to.deep.equal(['SessionStarted'])
      await remove(rig.deps, { game: GAME, player: proven.id }, contextAt())
      expect(await outcomeOf(rig.deps, proven)).to.equal('sign_in_rejected')
      expect(await ofSessions(rig)).to.deep.equal(['SessionStarted', 'SessionStarted', 'SessionEnded'])
    })
  }

  it('by a password is invalid for a call repeated after a take-over', async () => {
    const rig = signInRig()
    await registerPlayer(rig.deps, { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } }, contextAt())
    const keyed = { ...contextAt(), call: 'the call' }
    const signIn = async () => outcomeOf(rig.deps, await signInByPassword(rig.deps, GAME, DEVICE, keyed), keyed)
    expect([await signIn(), await signIn()]).to.deep.equal(['begun', 'begun'])
    await byCode(rig)
    expect(await signIn()).to.equal('sign_in_rejected')
  })
})
