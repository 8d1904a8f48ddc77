// The handshake: challenge and redeem.

import { z } from 'zod'
import { challenge, redeem } from '../../commands/handshake.ts'
import { ED25519_SIGNATURE_LENGTH, HMAC_SIGNATURE_LENGTH } from '../../credentials/signatures.ts'
import { fields, permissionList } from '../fields.ts'
import { openRoute, type Route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { challengeShape, tokenShape } from './shapes.ts'

const SIGNATURE = /^[A-Za-z0-9_-]+$/

const redeemBody = fields({
  request_id: z.string('must be the challenge’s request_id').min(1).max(64),
  challenge: z
    .string('must be the signature')
    .refine(
      (text) =>
        (text.length === HMAC_SIGNATURE_LENGTH || text.length === ED25519_SIGNATURE_LENGTH) && SIGNATURE.test(text),
      'must be the signature in URL-safe base64 without padding: 43 characters for hmac-sha256, 86 for ed25519',
    )
    .meta({ description: 'The signature.' }),
  unix_ts: z.int('must be the Unix time in whole seconds that was signed').nonnegative(),
  permissions: permissionList.optional(),
})

export function handshakeRoutes(deps: Pick<RouteDeps, 'handshake'>): Route[] {
  return [
    openRoute({
      method: 'POST',
      path: '/api/auth/jwt/challenge/',
      summary: 'Request a challenge to sign',
      needs: 'nothing',
      byPrefix: true,
      tenantOnly: false,
      records: false,
      answers: { 200: challengeShape },
      rates: ['handshake'],
      async handle(call) {
        return {
          status: 200,
          body: await challenge(deps.handshake, call.header('X-API-Key') ?? '', call.context.nowMs),
        }
      },
    }),
    openRoute({
      method: 'POST',
      path: '/api/auth/jwt/redeem/',
      summary: 'Redeem a signed challenge for a bearer token',
      needs: 'nothing',
      byPrefix: true,
      tenantOnly: false,
      records: false,
      body: redeemBody,
      answers: { 200: tokenShape },
      refusals: ['challenge_rejected', 'timestamp_out_of_range'],
      rates: ['handshake'],
      async handle(call) {
        const { request_id: requestId, challenge: signature, unix_ts: unixTs, permissions = [] } = call.body
        const requested = { prefix: call.header('X-API-Key') ?? '', requestId, signature, unixTs, permissions }
        return { status: 200, body: await redeem(deps.handshake, requested, call.context.nowMs) }
      },
    }),
  ]
}
