// Draws the headers that an operation declares: the proof of the caller, Idempotency-Key, X-Consistency-Token,
// If-Match.

import type { Random } from '../random.ts'
import type { Operation } from './document.ts'
import type { DrawnCaller } from './draw-caller.ts'
import type { Pool } from './pool.ts'
import type { Subject } from './subject.ts'

export interface HeaderSources {
  readonly pathname: string
  readonly subject: Subject
  readonly caller: DrawnCaller
  readonly pool: Pool
  readonly random: Random
}

/** The server is started with it. */
export const REALTIME_SECRET = 'a-secret-of-thirty-two-characters-or-more'
const WITH_IDEMPOTENCY_KEY = 0.15
/** So few that keys are soon used again for other calls, too. */
const IDEMPOTENCY_KEYS = 5_000
const WITH_CONSISTENCY_TOKEN = 0.1
const WITH_ETAG = 0.3
const BAD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'idempotency-key': ['', 'x'.repeat(256)],
  'x-consistency-token': ['x', 'AAAA', ''],
  'if-match': ['"x"', 'W/"x"', '*', 'x'],
  'x-api-key': ['', 'sk_x', 'x'.repeat(200)],
  authorization: ['Bearer', 'Basic eDp5', 'Bearer a b'],
  'content-encoding': ['gzip', 'br'],
  origin: ['null', 'https://a.example', 'http://localhost:3000'],
  'if-none-match': ['*', '"x"'],
  'x-large': ['x'.repeat(20_000)],
}

export function drawHeaders(operation: Operation, sources: HeaderSources): Record<string, string> {
  const { pathname, caller, pool, random, subject } = sources
  const declared = operation.parameters.filter((one) => one.in === 'header').map(({ name }) => name.toLowerCase())
  const headers: Record<string, string> = {}
  if (caller.token !== null) headers.authorization = `Bearer ${caller.token}`
  if (operation.proof === 'keyPrefix' && !random.chance(0.03)) headers['x-api-key'] = prefixOf(subject, random)
  if (operation.proof === 'realtimeSecret') {
    headers['x-realtime-secret'] = random.chance(0.9) ? REALTIME_SECRET : random.pick(['', 'x'])
  }
  if (declared.includes('idempotency-key') && random.chance(WITH_IDEMPOTENCY_KEY)) {
    headers['idempotency-key'] = `call-${random.below(IDEMPOTENCY_KEYS)}`
  }
  const token = random.any(pool.consistencyTokens)
  if (declared.includes('x-consistency-token') && token !== null && random.chance(WITH_CONSISTENCY_TOKEN)) {
    headers['x-consistency-token'] = token
  }
  const etag = random.chance(0.2) ? random.any([...pool.etags.values()]) : (pool.etags.get(pathname) ?? null)
  for (const name of ['if-match', 'if-none-match']) {
    if (declared.includes(name) && etag !== null && random.chance(WITH_ETAG)) headers[name] = etag
  }
  if (random.chance(0.02)) {
    const [name, values] = random.pick(Object.entries(BAD_HEADERS))
    headers[name] = random.pick(values)
  }
  return headers
}

function prefixOf({ challenge, game }: Subject, random: Random): string {
  if (challenge !== null) return challenge.signer.prefix
  return random.any(game.keys)?.prefix ?? 'sk_unknown'
}
