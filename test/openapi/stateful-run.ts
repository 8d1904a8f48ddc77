// The state of one run against a server: its document, the pool, the findings; which call comes next, and what its
// answer changes.

import type { Agent } from 'node:http'
import type { World } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { faultOf } from './check-reply.ts'
import { readDocument } from './document.ts'
import { type Call, type CallSources, drawCall } from './draw-call.ts'
import { type Coverage, drawOperation } from './draw-operation.ts'
import { createFindings, type Findings } from './findings.ts'
import { harvestReply } from './harvest.ts'
import { emptyPool, remember } from './pool.ts'
import { isReady } from './ready.ts'
import type { Connection, Reply } from './send-call.ts'
import { createValidate, type Validate } from './validators.ts'

/** Probability that a call is repeated as it was. */
const REPEATED = 0.02
const REPEATABLE_MAX = 50
/** Probability that a call refers to what the game does not have. */
const UNREADY = 0.02

export interface Run {
  readonly world: World
  readonly connection: Connection
  readonly sources: CallSources
  readonly coverage: Map<string, Coverage>
  readonly statuses: Map<number, number>
  readonly repeatable: Call[]
  readonly findings: Findings
  readonly validate: Validate
}

export async function openRun(
  world: World,
  options: { agent: Agent; seed: number; mailedCodes: ReadonlyMap<string, string> },
): Promise<Run> {
  const { agent, seed, mailedCodes } = options
  const document = readDocument((await world.call('GET', '/api/openapi.json')).body)
  const sources: CallSources = {
    ...{ document, pool: emptyPool(world.operator), random: new Random(seed), clock: world.clock },
    mailedCodes,
  }
  const coverage = new Map(document.operations.map(({ id }) => [id, { called: 0, succeeded: 0 }]))
  return {
    ...{ world, sources, coverage, statuses: new Map(), repeatable: [], findings: createFindings(seed) },
    connection: { agent, port: world.port },
    validate: createValidate(document.schemas),
  }
}

/** A new call, or one with an Idempotency-Key again. */
export function nextCall(run: Run): Call {
  const { repeatable } = run
  const { random } = run.sources
  const repeated = random.chance(REPEATED) ? random.any(repeatable) : null
  if (repeated !== null) return repeated
  const call = drawReady(run)
  if (call.headers['idempotency-key'] !== undefined) remember(repeatable, call, REPEATABLE_MAX)
  return call
}

function drawReady({ sources, coverage }: Run): Call {
  const { random, pool, document, mailedCodes } = sources
  for (;;) {
    const operation = drawOperation(document.operations, coverage, random)
    const game = random.pick(pool.games)
    if (isReady(operation, game, mailedCodes) || random.chance(UNREADY)) return drawCall(operation, game, sources)
  }
}

/** Counts, compares and harvests an answer; `number` is the request's. */
export function record(
  { coverage, statuses, findings, validate, sources }: Run,
  call: Call,
  reply: Reply,
  number: number,
): void {
  const covered = coverage.get(call.operation.id)
  statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
  if (covered !== undefined) {
    covered.called++
    if (reply.status < 300) covered.succeeded++
  }
  const fault = faultOf(call, reply, validate)
  if (fault !== null) findings.add(fault, call, reply, number)
  if (fault === null) harvestReply(reply, { call, pool: sources.pool, schemas: sources.document.schemas })
}
