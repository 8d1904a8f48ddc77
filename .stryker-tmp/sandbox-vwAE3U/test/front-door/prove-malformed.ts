// Sends spoilt calls and looks at every answer: never a 5xx, always a problem document that names the place, and
// nothing that the route has not declared; what succeeds has the declared shape.

import fc from 'fast-check'
import { PROBLEMS } from '../../http/pipeline/codes.ts'
import type { Route } from '../../http/route.ts'
import { goodCall, makeScene, pathOf, type Scene } from '../security/samples.ts'
import type { Answered, Sent } from './http-client.ts'
import { bodyOf, type Caller, type Spoilt, sampleOf, spoilt, TOO_LARGE } from './malformed-calls.ts'
import { signInGuest } from './scenery.ts'
import { openWorld, tokenOf, type World } from './world.ts'

/** What any call may meet, whatever its route. */
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
  /** The first wrong answer, shrunk; null where there is none. */
  readonly report: string | null
  /** Status -> how often it was answered. */
  readonly statuses: Readonly<Record<number, number>>
}

export async function proveMalformed({ requests, seed }: { requests: number; seed: number }): Promise<MalformedProof> {
  const world = await openWorld()
  const statuses: Record<number, number> = {}
  try {
    let scene = await makeScene(world, 'scene')
    const operator = await tokenOf(world, world.operator)
    const property = fc.asyncProperty(spoilt, async (one) => {
      const answer = await send(world, scene, operator, one)
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      const fault = faultOf(sampleOf(one.route).route, answer)
      if (fault !== null) throw new Error(`${fault}: ${answer.status} ${answer.text}`)
      if (answer.status === 200 && answer.body?.signed_out !== undefined) {
        scene = { ...scene, guest: await signInGuest(world, scene.game, scene.client) }
      }
    })
    const details = await fc.check(property, { numRuns: requests, seed, examples: [[TOO_LARGE]] })
    if (!details.failed) return { tried: requests, seed, report: null, statuses }
    const said = details.errorInstance instanceof Error ? details.errorInstance.message : ''
    const report = `seed ${seed}, path ${details.counterexamplePath}: ${said}\n${JSON.stringify(details.counterexample, null, 1)}`
    return { tried: details.numRuns, seed, report, statuses }
  } finally {
    await world.close()
  }
}

async function send(world: World, scene: Scene, operator: string, one: Spoilt): Promise<Answered> {
  const { route, sample } = sampleOf(one.route)
  // A way back between builds of views takes seconds to bring about, and malformed calls are answered alike without.
  const params = route.path.startsWith('/api/sys/') ? {} : ((await sample.params?.(scene)) ?? {})
  const spoiltParams = Object.fromEntries(Object.entries(params).map(([name, id], i) => [name, one.ids[i] ?? id]))
  const good: Sent = await goodCall(sample, scene)
  const path = pathOf(route, spoiltParams)
  const token = tokenFor(one.caller, route, { scene, operator, asPlayer: sample.asPlayer === true })
  const sent: Sent = { headers: { ...good.headers, ...one.headers }, ...bodyOf(one.body, good.body) }
  const at = one.slash ? path : path.replace(/\/$/, '')
  return world.call(
    route.method,
    at + (at.includes('?') ? one.query.replace('?', '&') : one.query),
    token === undefined ? sent : { ...sent, token },
  )
}

interface Tokens {
  readonly scene: Scene
  readonly operator: string
  readonly asPlayer: boolean
}

function tokenFor(caller: Caller, { needs }: Route, { scene, operator, asPlayer }: Tokens): string | undefined {
  switch (caller) {
    case 'none':
      return undefined
    case 'garbage':
      return 'garbage'
    case 'client':
      return scene.client
    case 'player':
      return scene.guest.token
    case 'right':
      if (needs === 'nothing') return undefined
      if (needs !== 'token' && needs.permission === 'sys:games') return operator
      return asPlayer ? scene.guest.token : scene.game.token
  }
}

/** What is wrong with an answer, or null. */
function faultOf(route: Route, { status, body, headers, text }: Answered): string | null {
  if (status >= 500) return 'a failure of the service'
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
  if (headers['content-type'] !== 'application/problem+json') return 'no problem document'
  if (PROBLEM_FIELDS.some((field) => body?.[field] === undefined || body[field] === '')) return 'a field is missing'
  if (body.status !== status || headers['x-request-id'] !== body.request_id) return 'status or request id differ'
  if (!declared(route).includes(body.code)) return 'an undeclared code'
  if (PROBLEMS[body.code]?.status !== status || PROBLEMS[body.code]?.title !== body.title)
    return 'a code of another status or title'
  if (status !== 400 || body.code === 'consistency_token_unknown') return null
  return namesPlaces(body.errors) ? null : 'no place is named'
}

function declared({ path, needs, records, refusals = [] }: Route): string[] {
  const ofIds = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => OF_IDS[name] ?? '')
  const ofTokens = needs === 'nothing' ? ['consistency_token_unknown'] : OF_TOKENS
  const ofHandshake = path.startsWith('/api/auth/') ? ['api_key_required'] : []
  return [...OF_EVERY_CALL, ...ofTokens, ...(records ? OF_KEYS : []), ...ofIds, ...ofHandshake, ...refusals]
}

function namesPlaces(errors: unknown): boolean {
  if (!Array.isArray(errors) || errors.length === 0) return false
  return errors.every(({ pointer, detail }) => /^(\/|$)/.test(pointer) && typeof detail === 'string' && detail !== '')
}
