// Sends a running server valid and invalid calls that are generated from its own OpenAPI document, and checks each
// response against the document. The seed decides every random choice. The server's ids and secrets are not seeded, so
// choices that depend on them can differ between runs.

import { Agent } from 'node:http'
import { join } from 'node:path'
import { openWorld } from '../front-door/world.ts'
import { keepBase } from './base-access.ts'
import { RETRYABLE } from './check-reply.ts'
import type { Call } from './draw-call.ts'
import { REALTIME_SECRET } from './draw-headers.ts'
import type { Coverage } from './draw-operation.ts'
import type { Findings } from './findings.ts'
import { followLink } from './follow-link.ts'
import { openMailedCodes } from './mailed-codes.ts'
import { sendCall } from './send-call.ts'
import { nextCall, openRun, type Run, record } from './stateful-run.ts'

export interface StatefulProof {
  readonly tried: number
  readonly seed: number
  /**
   * Calls without a response, responses that violate the document, failed upload or download links, and too many 503s.
   */
  readonly findings: Findings
  /** By operation id, for every operation of the document. */
  readonly coverage: ReadonlyMap<string, Coverage>
  /** HTTP status -> number of responses. */
  readonly statuses: ReadonlyMap<number, number>
  readonly seconds: number
}

export interface StatefulOptions {
  readonly requests: number
  readonly seed: number
  readonly onProgress?: (tried: number, findings: number) => void
}

/**
 * Calls sent concurrently. Their responses are recorded in the order of the calls, not of arrival, so that timing does
 * not affect later calls.
 */
const BATCH = 16
/** Batches between two reads of the mailed codes. */
const MAIL_EVERY = 20
const BATCH_MS_MAX = 80
const CLOCK_JUMPS = 0.002
const CLOCK_JUMP_MS_MAX = 10 * 60_000
const RETRYABLE_SHARE_MAX = 0.002

export async function proveStateful({
  requests,
  seed,
  onProgress = () => {},
}: StatefulOptions): Promise<StatefulProof> {
  // With the local file store, the server itself handles uploads and downloads, so the links are tested too.
  const world = await openWorld({ hasFileStore: () => false })
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * BATCH })
  try {
    await world.restart({ filesDir: join(world.dataDir, 'files'), realtimeSecret: REALTIME_SECRET })
    const mails = openMailedCodes(world.dataDir)
    const run = await openRun(world, { agent, seed, mailedCodes: mails.codes })
    const startedMs = performance.now()
    let tried = 0
    for (let batch = 0; tried < requests; batch++) {
      await keepBase(world, run.sources.pool)
      if (batch % MAIL_EVERY === 0) await mails.read()
      await tryLink(run)
      tried += await sendBatch(run, tried, Math.min(BATCH, requests - tried))
      advance(run)
      onProgress(tried, run.findings.count())
    }
    checkRetries(run, tried)
    const { coverage, statuses, findings } = run
    return { tried, seed, findings, coverage, statuses, seconds: (performance.now() - startedMs) / 1_000 }
  } finally {
    agent.destroy()
    await world.close()
  }
}

async function sendBatch(run: Run, tried: number, size: number): Promise<number> {
  const calls = Array.from({ length: size }, () => nextCall(run))
  const replies = await Promise.all(calls.map((call) => sendCall(run.connection, call).catch((error: Error) => error)))
  replies.forEach((reply, at) => {
    const call = calls[at] as Call
    if (reply instanceof Error) run.findings.add(`no answer: ${reply.message}`, call, null, tried + at)
    else record(run, call, reply, tried + at)
  })
  return size
}

async function tryLink({ connection, sources: { pool, random }, findings }: Run): Promise<void> {
  const followed = await followLink(connection, pool, random)
  if (followed === null) return
  const { request, reply } = followed
  if (reply instanceof Error) findings.addLink(`no answer: ${reply.message}`, request, null)
  else if (reply.status >= 500) findings.addLink(`a failure: ${reply.status}`, request, reply)
}

/** Advances the server's clock, so that challenges, uploads, tickets and tokens expire. */
function advance({ sources: { clock, random } }: Run): void {
  clock.nowMs += random.below(BATCH_MS_MAX)
  if (random.chance(CLOCK_JUMPS)) clock.nowMs += random.below(CLOCK_JUMP_MS_MAX)
}

/** Adds a finding if the share of 503s exceeds RETRYABLE_SHARE_MAX: a healthy server rarely responds with 503. */
function checkRetries({ statuses, findings }: Run, tried: number): void {
  const unavailable = statuses.get(503) ?? 0
  if (unavailable > tried * RETRYABLE_SHARE_MAX) {
    findings.addShare(`${unavailable} of ${tried} answers are 503 (${RETRYABLE.join(', ')})`)
  }
}
