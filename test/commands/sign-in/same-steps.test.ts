// The time of an answer must not reveal whether a login or an address is registered. The steps can be
// counted: as many calls to each store, and one check of a password. `npm run proof:timing` measures the times.

import { expect } from 'chai'
import { mailCode } from '../../../commands/sign-in/mail-code.ts'
import { signInByPassword } from '../../../commands/sign-in/password.ts'
import { registerPlayer } from '../../../commands/sign-in/register.ts'
import type { SignInDeps } from '../../../commands/sign-in/sign-in-deps.ts'
import { asked, contextAt, GAME, LONG_AGO_MS, NETWORK, NOBODY, REGISTRATION, signInRig } from './sign-in-rig.ts'

const EMAIL = 'ada@example.com'
const COUNTED = ['log', 'vault', 'transient', 'windows', 'passwords', 'mail'] as const

type Counts = Record<string, number>

/** The same dependencies, and how often each of their functions is called. */
function counting(deps: SignInDeps): { deps: SignInDeps; calls: Counts } {
  const calls: Counts = {}
  const counted = (name: string, target: object) =>
    new Proxy(target, {
      get(object, property) {
        const value: unknown = Reflect.get(object, property)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          const call = `${name}.${String(property)}`
          calls[call] = (calls[call] ?? 0) + 1
          return Reflect.apply(value, object, args)
        }
      },
    })
  const replaced = COUNTED.flatMap((name) => {
    const target = deps[name]
    return target === null ? [] : [[name, counted(name, target)] as const]
  })
  return { deps: { ...deps, ...Object.fromEntries(replaced) }, calls }
}

/** The calls of some work, on an installation where Ada has registered with her address. */
async function callsOf(work: (deps: SignInDeps) => Promise<unknown>): Promise<Counts> {
  const { deps } = signInRig()
  await registerPlayer(deps, { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } }, contextAt())
  const counted = counting(deps)
  await work(counted.deps)
  return counted.calls
}

describe('signing in with unknown credentials', () => {
  it('takes the same calls and one password check for a wrong password and for an unknown login', async () => {
    const guess = (login: string) => async (deps: SignInDeps) => {
      const sent = { login, password: 'wrong', network: NETWORK }
      const refusal: unknown = await signInByPassword(deps, GAME, sent, contextAt()).catch((error: unknown) => error)
      expect(refusal).to.have.property('code', 'sign_in_rejected')
    }
    const known = await callsOf(guess(REGISTRATION.login))
    expect(known).to.include({ 'passwords.verify': 1, 'vault.get': 1 })
    expect(await callsOf(guess('nobody'))).to.deep.equal(known)
  })

  it('takes the same calls and one mail to request a code for a known address and for an unknown one', async () => {
    const ask = (email: string) => (deps: SignInDeps) => mailCode(deps, asked(email), LONG_AGO_MS)
    const known = await callsOf(ask(EMAIL))
    expect(known).to.include({ 'mail.send': 1 })
    expect(await callsOf(ask('nobody@example.com'))).to.deep.equal(known)
  })
})
