// Security schemes of the OpenAPI document, and which of them an operation needs.

import type { Documented, Needs } from '../route.ts'
import type { Json } from './schemas.ts'

export const PREFIX = 'The prefix of an API key. It is public: the secret signs the challenge and is never sent.'

export const SECURITY_SCHEMES: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token that `redeemChallenge` or a player sign-in returns.',
  },
  keyPrefix: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: PREFIX },
  realtimeSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Realtime-Secret',
    description: 'The secret that this service shares with rooms in other processes: REALTIME_SECRET.',
  },
}

export function securityOf({ needs, byPrefix, admits }: Documented): Json[] {
  if (byPrefix === true) return [{ keyPrefix: [] }]
  if (admits !== undefined) return [{ realtimeSecret: [] }]
  return needs === 'nothing' ? [] : [{ bearer: [] }]
}

export function permissionOf(needs: Needs): Json {
  if (typeof needs === 'string') return {}
  return { 'x-permission': needs.permission, ...(needs.or !== undefined && { 'x-permission-or': needs.or }) }
}
