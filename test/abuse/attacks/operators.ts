// Attacks on operators: forged and revoked tokens, guessed signatures, and calls that an operator's token of a game may
// not make.

import { randomBytes } from 'node:crypto'
import type { Attack, AttackContext } from '../attack.ts'
import type { Sent } from '../caller.ts'
import { flood } from './bodies.ts'

type Call = readonly [method: string, path: string, body?: unknown]

/** What an operator alone may call. */
const operatorCalls = ({ attackedGame: { game, operators } }: AttackContext): readonly Call[] => [
  ['POST', `/api/gm/${game}/token/`, { permissions: ['sys:games', `gm:${game}:*`] }],
  ['POST', '/api/sys/keys/', { name: 'mine', algorithm: 'hmac-sha256' }],
  ['GET', '/api/sys/keys/'],
  ['DELETE', `/api/sys/keys/${operators.prefix}/`],
  ['GET', '/api/sys/events/'],
  ['GET', '/api/sys/verify/'],
  ['POST', '/api/sys/rebuild/', {}],
  ['DELETE', `/api/gm/${game}/`, { name: 'Attacked' }],
]

/** What would outlive an operator's token of a game. */
const outliving = ({ attackedGame: { game, clientKey } }: AttackContext): readonly Call[] => [
  ['POST', `/api/gm/${game}/keys/`, { name: 'mine', kind: 'server', algorithm: 'hmac-sha256' }],
  ['PUT', `/api/gm/${game}/keys/${clientKey.prefix}/`, { permissions: ['*:*:*'] }],
  ['POST', `/api/gm/${game}/player/guest/`, {}],
  ['POST', `/api/gm/${game}/player/ticket/`, { external_id: 'mine' }],
  ['POST', `/api/gm/${game}/player/password/`, { login: 'ada', password: 'a guess' }],
]

/** The token with the claims of an operator's token of the installation, and its own signature. */
function altered(token: string): string {
  const [header, claims = '', signature] = token.split('.')
  const own = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const wanted = { ...own, game: null, permissions: ['sys:games'], n: randomBytes(4).toString('hex') }
  return [header, Buffer.from(JSON.stringify(wanted)).toString('base64url'), signature].join('.')
}

/** All calls in turn, each with every token in turn. */
const callsWith = (
  name: string,
  callsOf: (context: AttackContext) => readonly Call[],
  tokensOf: (context: AttackContext) => readonly (() => string)[],
): Attack => ({
  name,
  run: (context) => {
    const [calls, tokens] = [callsOf(context), tokensOf(context)]
    return flood(context, 64, (caller, n) => {
      const [method, path, body] = calls[n % calls.length] as Call
      const token = tokens[Math.floor(n / calls.length) % tokens.length]?.()
      const sent: Sent = body === undefined ? { token } : { token, body }
      return caller.call(method, path, sent)
    })
  },
})

export const OPERATOR_ATTACKS: readonly Attack[] = [
  callsWith('operator calls with other, revoked and altered tokens', operatorCalls, ({ attackedGame }) => {
    const { operators, serverToken, clientToken, guests } = attackedGame
    const others = [serverToken, clientToken, guests[1] ?? '', operators.gameToken, ...operators.revoked]
    return [...others.map((token) => () => token), () => altered(serverToken), () => altered(operators.gameToken)]
  }),
  callsWith('calls that an operator’s token of a game may not make', outliving, ({ attackedGame }) => [
    () => attackedGame.operators.gameToken,
  ]),
  {
    name: 'signatures of an operator key guessed',
    run: (context) =>
      flood(context, 32, async (caller) => {
        const headers = { 'x-api-key': context.attackedGame.operators.prefix }
        const asked = await caller.call('POST', '/api/auth/jwt/challenge/', { headers })
        if (asked.status !== 200) return asked
        const { request_id } = JSON.parse(asked.text)
        const challenge = randomBytes(32).toString('base64url')
        const body = { request_id, challenge, unix_ts: Math.floor(Date.now() / 1_000), permissions: ['sys:games'] }
        const redeemed = await caller.call('POST', '/api/auth/jwt/redeem/', { headers, body })
        return { sentBytes: asked.sentBytes + redeemed.sentBytes }
      }),
  },
]
