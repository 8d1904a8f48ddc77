// Sends malformed calls and checks every answer: never a 5xx, always a problem document with a pointer, only codes that
// the route declares, and for a success the declared shape.

import fc from 'fast-check'
import { PROBLEMS } from '../../http/problem-codes.ts'
import type { Route } from '../../http/route.ts'
import { goodCall, makeSampleGame, pathOf, type SampleGame } from '../security/samples.ts'
import { signInGuest } from './game-fixtures.ts'
import type { Answered, Sent } from './http-client.ts'
import { bodyOf, type Caller, type Spoilt, sampleOf, spoilt, TOO_LARGE } from './malformed-calls.ts'
import { openWorld, tokenOf, type World } from './world.ts'

/** Codes that any route may answer. */
const OF_EVERY_CALL = ['malformed', 'not_found', 'body_too_large', 'unsupported_media_type']
const OF_TOKENS = ['unauthenticated', 'token_rejected', 'tenant_only', 'permission_needed', 'consistency_token_unknown']
const OF_KEYS = ['idempotency_key_reused', 'idempotency_in_progress']
const OF_IDS: Readonly<Record<string, string>> = {
  game: 'game_not_found',
  leaderboard: 'leaderboard_not_found',
  bucket: 'bucket_not_found',
  score: 'score_not_found',
  prefix: 'key_not_found',
  player: 'player_not_found',
}
const PROBLEM_FIELDS = ['type', 'title', 'status', 'detail', 'code', 'request_id']

export interface MalformedProof {
  readonly tried: number
  readonly seed: number
  /** The first wrong answer, shrunk; null if there is none. */
  readonly report: string | null
  /** Status -> number of answers. */
  readonly statuses: Readonly<Record<number, number>>
}

export async function proveMalformed({ requests, seed }: { requests: number; seed: number }): Promise<MalformedProof> {
  const world = await openWorld()
  const statuses: Record<number, number> = {}
  try {
    let sampleGame = await makeSampleGame(world, 'sample')
    const operator = await tokenOf(world, world.operator)
    const property = fc.asyncProperty(spoilt, async (one) => {
      const answer = await send(world, sampleGame, operator, one)
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      const fault = faultOf(sampleOf(one.route).route, answer)
      if (fault !== null) throw new Error(`${fault}: ${answer.status} ${answer.text}`)
      if (answer.status === 200 && answer.body?.signed_out !== undefined) {
        sampleGame = { ...sampleGame, guest: await signInGuest(world, sampleGame.game, sampleGame.client) }
      }
    })
    const details = await fc.check(property, { numRuns: requests, seed, examples: [[TOO_LARGE]] })
    if (!details.failed) return { tried: requests, seed, report: null, statuses }
    const message = details.errorInstance instanceof Error ? details.errorInstance.message : ''
    const report = `seed ${seed}, path ${details.counterexamplePath}: ${message}\n${JSON.stringify(details.counterexample, null, 1)}`
    return { tried: details.numRuns, seed, report, statuses }
  } finally {
    await world.close()
  }
}

async function send(world: World, sampleGame: SampleGame, operator: string, one: Spoilt): Promise<Answered> {
  const { route, sample } = sampleOf(one.route)
  // A restorable build of the views takes seconds to create, and malformed calls are answered alike without it.
  const params = route.path.startsWith('/api/sys/') ? {} : ((await sample.params?.(sampleGame)) ?? {})
  const spoiltParams = Object.fromEntries(Object.entries(params).map(([name, id], i) => [name, one.ids[i] ?? id]))
  const good: Sent = await goodCall(sample, sampleGame)
  const path = pathOf(route, spoiltParams)
  const token = tokenFor(one.caller, route, { sampleGame, operator, asPlayer: sample.asPlayer === true })
  const sent: Sent = { headers: { ...good.headers, ...one.headers }, ...bodyOf(one.body, good.body) }
  const at = one.slash ? path : path.replace(/\/$/, '')
  return world.call(
    route.method,
    at + (at.includes('?') ? one.query.replace('?', '&') : one.query),
    token === undefined ? sent : { ...sent, token },
  )
}

interface Tokens {
  readonly sampleGame: SampleGame
  readonly operator: string
  readonly asPlayer: boolean
}

function tokenFor(caller: Caller, { needs }: Route, { sampleGame, operator, asPlayer }: Tokens): string | undefined {
  switch (caller) {
    case 'none':
      return undefined
    case 'garbage':
      return 'garbage'
    case 'client':
      return sampleGame.client
    case 'player':
      return sampleGame.guest.token
    case 'right':
      if (needs === 'nothing') return undefined
      if (needs !== 'token' && needs.permission === 'sys:games') return operator
      return asPlayer ? sampleGame.guest.token : sampleGame.game.token
  }
}

/** The fault of an answer, or null. */
function faultOf(route: Route, { status, body, headers, text }: Answered): string | null {
  if (status >= 500) return 'a server error'
  if (status < 400) {
    const shape = route.answers[status]
    if (shape === undefined) return 'an undeclared status'
    const bodies =
      route.lines === true
        ? text
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line))
        : [body]
    const results = bodies.map((one) => shape.safeParse(one))
    const wrong = results.find(({ success }) => !success)
    return wrong === undefined ? null : `not of the declared shape: ${wrong.error?.message}`
  }
  if (headers['content-type'] !== 'application/problem+json') return 'not a problem document'
  if (PROBLEM_FIELDS.some((field) => body?.[field] === undefined || body[field] === '')) return 'a field is missing'
  if (body.status !== status || headers['x-request-id'] !== body.request_id) return 'status or request id differ'
  if (!declared(route).includes(body.code)) return 'an undeclared code'
  if (PROBLEMS[body.code]?.status !== status || PROBLEMS[body.code]?.title !== body.title)
    return 'a code of another status or title'
  if (status !== 400 || body.code === 'consistency_token_unknown') return null
  return hasPointers(body.errors) ? null : 'no pointer is given'
}

function declared({ path, needs, records, refusals = [] }: Route): string[] {
  const ofIds = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => OF_IDS[name] ?? '')
  const ofTokens = needs === 'nothing' ? ['consistency_token_unknown'] : OF_TOKENS
  const ofHandshake = path.startsWith('/api/auth/') ? ['api_key_required'] : []
  return [...OF_EVERY_CALL, ...ofTokens, ...(records ? OF_KEYS : []), ...ofIds, ...ofHandshake, ...refusals]
}

function hasPointers(errors: unknown): boolean {
  if (!Array.isArray(errors) || errors.length === 0) return false
  return errors.every(({ pointer, detail }) => /^(\/|$)/.test(pointer) && typeof detail === 'string' && detail !== '')
}
