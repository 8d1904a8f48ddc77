// Attacks by signing in: challenges, wrong codes, mails, passwords, guests, invalid tokens.

import { randomBytes } from 'node:crypto'
import type { Attack, AttackContext } from '../attack.ts'
import { flood } from './bodies.ts'

const player = (context: AttackContext, path: string) => `/api/gm/${context.attackedGame.game}/player/${path}/`

/** Posts to a sign-in path, `lanes` at the same time. */
const posts = (name: string, lanes: number, path: string, bodyOf: (n: number) => unknown): Attack => ({
  name,
  run: (context) =>
    flood(context, lanes, (caller, n) =>
      caller.call('POST', player(context, path), { token: context.attackedGame.clientToken, body: bodyOf(n) }),
    ),
})

export const SIGN_IN_ATTACKS: readonly Attack[] = [
  {
    name: 'challenges that are never redeemed',
    run: (context) =>
      flood(context, 64, (caller, n) =>
        caller.call('POST', '/api/auth/jwt/challenge/', {
          headers: {
            'x-api-key': n % 2 === 0 ? context.attackedGame.clientKey.prefix : `ck_${randomBytes(15).toString('hex')}`,
          },
        }),
      ),
  },
  posts('codes mailed to strangers', 32, 'code', (n) => ({ email: `stranger-${n}@example.com` })),
  posts('wrong codes', 32, 'code/verify', (n) => ({ email: `stranger-${n % 60}@example.com`, code: '000000' })),
  posts('passwords guessed', 32, 'password', (n) => ({ login: `login-${n}`, password: `guess number ${n}` })),
  posts('guests without end', 32, 'guest', () => ({})),
  posts('registrations without end', 16, 'register', (n) => ({
    login: `flood-${n}-${process.pid}`,
    password: 'p'.repeat(72),
  })),
  {
    name: 'tokens that are none',
    run: (context) =>
      flood(context, 64, (caller) =>
        caller.call('GET', `/api/lb/${context.attackedGame.board}/`, {
          token: `eyJhbGciOiJIUzI1NiJ9.${randomBytes(200).toString('base64url')}.x`,
        }),
      ),
  },
]
