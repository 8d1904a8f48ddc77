// The end of every request: the problem for what was thrown, the headers that all answers carry, and the sending.

import { Refusal } from '../../domain/decider.ts'
import { StoreAway } from '../../stores/contract/faults.ts'
import { toProblem } from '../problem.ts'
import { drain } from './body.ts'
import { corsHeaders } from './cors.ts'
import { type Exchange, secretsOf } from './exchange.ts'
import type { Pipeline } from './gear.ts'
import { GUARD, letGo, problemReply, type Reply, send } from './reply.ts'

/** The problem for what was thrown; what nobody expected is logged, and which store is away. */
export function failed({ recorder }: Pipeline, { request, id, route }: Exchange, error: unknown): Reply {
  const problem = toProblem(error, id)
  recorder.refused(problem)
  // A route that says in words of its own what an absent store means for its callers.
  const why = error instanceof Refusal && error.cause instanceof StoreAway ? error.cause : error
  if (problem.status === 500 || why instanceof StoreAway) recorder.failed(why, id, route, secretsOf(request))
  return problemReply(problem)
}

/** Headers that every answer carries, as far as this request got, with those for pages of other origins. */
export async function allHeaders(pipeline: Pipeline, exchange: Exchange): Promise<string[]> {
  const common = commonHeaders(pipeline, exchange)
  const { origin } = exchange.request.headers
  if (origin !== undefined) common.push(...(await corsHeaders(pipeline.deps, origin, exchange.audience)))
  return common
}

function commonHeaders({ isClosing }: Pipeline, { id, told }: Exchange): string[] {
  const headers = ['X-Request-Id', id, ...GUARD]
  if (told.left !== '') headers.push('RateLimit-Policy', told.policy, 'RateLimit', told.left)
  if (isClosing()) headers.push('Connection', 'close')
  return headers
}

export async function respond(pipeline: Pipeline, exchange: Exchange, reply: Reply): Promise<void> {
  const { request, response, audience, network } = exchange
  const common = commonHeaders(pipeline, exchange)
  try {
    const { origin } = request.headers
    if (origin !== undefined) common.push(...(await corsHeaders(pipeline.deps, origin, audience)))
    const takeRoom = (bytes: number) => pipeline.edge.take('answer', network, bytes)
    const sending = send(request, response, reply, common, takeRoom)
    if (sending !== undefined) await sending
  } catch (error) {
    letGo(reply)
    send(request, response, failed(pipeline, exchange, error), common)
  }
  drain(request)
}
