// Signing a player out everywhere: how many sessions that ended is recorded with it, and answered
// each time the call is repeated.

import { expect } from 'chai'
import { signOut } from '../../commands/player.ts'
import { registerPlayer } from '../../commands/sign-in/register.ts'
import { contextAt, GAME, NOBODY, REGISTRATION, signInRig } from './sign-in/sign-in-rig.ts'

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
