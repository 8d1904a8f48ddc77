// Sign-in methods for players other than guests.

import { type Calls, pathTo } from './caller.ts'
import { type PlayerClient, type PlayerSetting, signedInPlayer } from './player.ts'
import type { Registration, SignedIn } from './shapes.ts'

export interface SignInCalls {
  /** Creates a player with a login. To give a guest a login, use `register` of the guest's client. */
  register(game: string, registration: Registration): Promise<PlayerClient>
  withPassword(game: string, sent: { readonly login: string; readonly password: string }): Promise<PlayerClient>
  /** Mails a six-digit code, valid for 15 minutes. */
  mailCode(game: string, email: string): Promise<{ readonly expires_in: number }>
  /** Creates a player if the address is new. */
  withCode(game: string, sent: { readonly email: string; readonly code: string }): Promise<PlayerClient>
  /** Redeems a ticket from the tenant; each ticket works once. */
  withTicket(game: string, ticket: string): Promise<PlayerClient>
}

export function signInCalls({ call }: Pick<Calls, 'call'>, settingOf: (game: string) => PlayerSetting): SignInCalls {
  const at = (game: string, ...method: string[]) => pathTo(['gm', game, 'player', ...method])
  const signIn = async (game: string, method: readonly string[], body: object) =>
    signedInPlayer(settingOf(game), await call<SignedIn>('POST', at(game, ...method), body))
  return {
    register: (game, registration) => signIn(game, ['register'], registration),
    withPassword: (game, sent) => signIn(game, ['password'], sent),
    mailCode: (game, email) => call('POST', at(game, 'code'), { email }),
    withCode: (game, sent) => signIn(game, ['code', 'verify'], sent),
    withTicket: (game, ticket) => signIn(game, ['ticket', 'redeem'], { ticket }),
  }
}
