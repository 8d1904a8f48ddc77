// One call over HTTP, sent again where that is safe: every call that records something carries an Idempotency-Key, made
// once and sent with each repetition, so that a write whose answer was lost has one effect.

import { jsonLines, textPieces } from './lines.ts'
import { ProblemError, problemOf, Unreachable } from './problem.ts'

export interface TransportOptions {
  /** `https://scores.example.com`, with or without a path before `/api/`. */
  readonly baseUrl: string
  readonly fetch?: typeof globalThis.fetch
  /** How long one attempt may take. Default 30,000. */
  readonly timeoutMs?: number
  /** How long a call may wait in all where the service asks it to (429, 503). Default 60,000. */
  readonly patienceMs?: number
  /** How long a call is sent again in all where no answer comes. Default 15,000. */
  readonly reconnectMs?: number
  /** Told before each wait, so that a caller can show it. */
  readonly onWait?: (waitMs: number, why: ProblemError | Unreachable) => void
}

export interface Sending {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From `/api/` on, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sent again only after 429: a repetition of it cannot succeed once it has arrived. */
  readonly once?: boolean
  /** Of `lines`: ends them, and the waiting for them, by a rejection. */
  readonly signal?: AbortSignal | undefined
}

export interface Answered {
  readonly body: unknown
  /** From the answer to a write: a read that sends it back sees that write, on any node. */
  readonly consistencyToken: string | null
  readonly replayed: boolean
  readonly etag: string | null
}

export interface Transport {
  /** Rejects with ProblemError or Unreachable. */
  send(call: Sending): Promise<Answered>
  /** The lines of an answer, once it has begun; rejects likewise, and with Unreachable where it is cut. */
  lines(call: Sending): Promise<AsyncGenerator<unknown, void, undefined>>
  /** The text of an answer in pieces, likewise. */
  text(call: Sending): Promise<AsyncGenerator<string, void, undefined>>
}

const TIMEOUT_MS = 30_000
const PATIENCE_MS = 60_000
const RECONNECT_MS = 15_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000
/** Refusals that pass by themselves. Nothing was recorded, or a repetition finds what was. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = options
  const service: Service = { root: baseUrl.replace(/\/+$/, ''), fetch, timeoutMs }
  const again = repeating(options)
  return {
    send: (call) => again(call, (headers) => attempt(service, call, headers)),
    lines: async (call) => linesIn(service, await again(call, (headers) => opened(service, call, headers))),
    text: async (call) => textIn(service, await again(call, (headers) => opened(service, call, headers))),
  }
}

interface Service {
  /** Its URL without a closing slash. */
  readonly root: string
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
}

type Headers = Readonly<Record<string, string>>

async function attempt({ root, fetch, timeoutMs }: Service, call: Sending, headers: Headers): Promise<Answered> {
  const body = call.body === undefined ? null : JSON.stringify(call.body)
  const signal = AbortSignal.timeout(timeoutMs)
  let response: Response
  let text: string
  try {
    response = await fetch(root + call.path, { method: call.method, headers, body, signal, redirect: 'error' })
    if (!response.ok) throw await refusalOf(response)
    text = await response.text()
  } catch (failure) {
    throw failure instanceof ProblemError ? failure : new Unreachable(root, failure)
  }
  const { headers: told } = response
  return {
    body: jsonOf(text, response.status),
    consistencyToken: told.get('X-Consistency-Token'),
    replayed: told.get('Idempotent-Replay') === 'true',
    etag: told.get('ETag'),
  }
}

/** Waits for the beginning of the answer; how long the rest takes is for the service to say. */
async function opened({ root, fetch, timeoutMs }: Service, call: Sending, headers: Headers): Promise<Response> {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(), timeoutMs)
  const signal = call.signal === undefined ? slow.signal : AbortSignal.any([slow.signal, call.signal])
  try {
    const response = await fetch(root + call.path, { headers, signal, redirect: 'error' })
    if (!response.ok) throw await refusalOf(response)
    return response
  } catch (failure) {
    throw failure instanceof ProblemError ? failure : new Unreachable(root, failure)
  } finally {
    clearTimeout(timer)
  }
}

async function* linesIn({ root }: Service, { body }: Response): AsyncGenerator<unknown, void, undefined> {
  if (body === null) return
  try {
    yield* jsonLines(body)
  } catch (failure) {
    throw new Unreachable(root, failure)
  }
}

async function* textIn({ root }: Service, { body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return
  try {
    yield* textPieces(body)
  } catch (failure) {
    throw new Unreachable(root, failure)
  }
}

/** Sends a call again while that is safe and there is time left; each time with the same headers. */
function repeating({ patienceMs = PATIENCE_MS, reconnectMs = RECONNECT_MS, onWait }: TransportOptions) {
  return async <Answer>(call: Sending, attempt: (headers: Headers) => Promise<Answer>): Promise<Answer> => {
    const headers = {
      Accept: 'application/json',
      ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(call.method === 'GET' ? {} : { 'Idempotency-Key': crypto.randomUUID() }),
      ...call.headers,
    }
    const left = { refused: patienceMs, unreachable: reconnectMs }
    for (let times = 0; ; times++) {
      try {
        return await attempt(headers)
      } catch (failure) {
        if (call.signal?.aborted === true) throw failure
        const waitMs = waitFor(failure, times, call.once === true)
        const budget = failure instanceof Unreachable ? 'unreachable' : 'refused'
        if (waitMs === null || waitMs > left[budget]) throw failure
        left[budget] -= waitMs
        onWait?.(waitMs, failure as ProblemError | Unreachable)
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }
  }
}

/** What was refused, with how long the service asks to be left alone. */
async function refusalOf(response: Response): Promise<ProblemError> {
  const problem = await problemOf(response)
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  if (!(retryAfter >= 0)) return problem
  return new ProblemError(problem.status, { ...problem.fields, retry_after: retryAfter })
}

/** Milliseconds until it is worth sending again, or null where it is not. */
function waitFor(failure: unknown, times: number, once: boolean): number | null {
  const backoffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times) * (0.5 + Math.random() / 2)
  if (once && !(failure instanceof ProblemError && failure.status === 429)) return null
  if (failure instanceof Unreachable) return backoffMs
  if (!(failure instanceof ProblemError)) return null
  if (failure.code === 'idempotency_in_progress') return backoffMs
  if (!PASSING.has(failure.status)) return null
  const { retry_after: seconds } = failure.fields
  // A little more than asked, and never all at one moment.
  return typeof seconds === 'number' ? seconds * 1_000 + Math.random() * 250 : backoffMs
}

function jsonOf(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProblemError(status, { detail: 'The answer is no JSON: is this the address of a Scorebook service?' })
  }
}
