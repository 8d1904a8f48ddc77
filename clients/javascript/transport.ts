// Sends HTTP calls and retries them if that is safe. Every write carries the same Idempotency-Key in each retry, so a
// write whose answer was lost takes effect once.

import { jsonLines, textChunks } from './lines.ts'
import { askedWaitMs, ProblemError, problemOf, Unreachable } from './problem.ts'

export interface TransportOptions {
  /** `https://scores.example.com`, optionally with a path before `/api/`. */
  readonly baseUrl: string
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds per attempt. Default 30,000. */
  readonly timeoutMs?: number
  /** Total milliseconds that a call may wait when the server asks for it (429, 503). Default 60,000. */
  readonly patienceMs?: number
  /**
   * Total milliseconds of retries without an answer, handshakes of the same call included. Default 15,000. A retry that
   * has begun may still take `timeoutMs`.
   */
  readonly reconnectMs?: number
  /** Called before each wait, so that a caller can show it. */
  readonly onWait?: (waitMs: number, error: ProblemError | Unreachable) => void
}

export interface Sending {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path from `/api/` on, with query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Retried only after 429, because a repetition of an arrived call cannot succeed. */
  readonly once?: boolean
  /** Sent once, also after 429 and 503: the caller repeats it. */
  readonly single?: boolean | undefined
  /** Shared by sendings that are one call to the user. Default: one of its own. */
  readonly patience?: Patience | undefined
  /** For `lines`: aborts reading and waiting with a rejection. */
  readonly signal?: AbortSignal | undefined
}

export interface Answered {
  readonly body: unknown
  /** From the answer to a write. A read with this token sees that write on any node. */
  readonly consistencyToken: string | null
  readonly replayed: boolean
  readonly etag: string | null
}

/** The time that a call may spend on retries. */
export interface Patience {
  /**
   * Waits before the retry after `times` others. False, at once, if none makes sense or the time is up. `spentMs`: what
   * a failed retry took.
   */
  wait(failure: unknown, times: number, spentMs: number): Promise<boolean>
}

export interface Sender {
  /** Rejects with ProblemError or Unreachable. */
  send(call: Sending): Promise<Answered>
  /** For `Sending.patience`. */
  patience(): Patience
}

export interface Transport extends Sender {
  /** The lines of an answer, when it has begun. Rejects like `send`, and with Unreachable if the connection is cut. */
  lines(call: Sending): Promise<AsyncGenerator<unknown, void, undefined>>
  /** The text of an answer in chunks. Rejects like `lines`. */
  text(call: Sending): Promise<AsyncGenerator<string, void, undefined>>
}

const TIMEOUT_MS = 30_000
/** Default of `patienceMs`. */
export const RETRY_MS = 60_000
const RECONNECT_MS = 15_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000
/** Transient statuses. Nothing was recorded, or a retry returns the recorded answer. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Whole answers only, for game clients. */
export function createSender(options: TransportOptions): Sender {
  const service = serviceOf(options)
  const again = repeating(options)
  return {
    send: (call) => again(call, (headers) => attempt(service, call, headers)),
    patience: () => patienceOf(options),
  }
}

/** Whole answers and streamed ones. */
export function createTransport(options: TransportOptions): Transport {
  const service = serviceOf(options)
  const again = repeating(options)
  return {
    ...createSender(options),
    lines: async (call) => linesIn(service, await again(call, (headers) => opened(service, call, headers))),
    text: async (call) => textIn(service, await again(call, (headers) => opened(service, call, headers))),
  }
}

/** The base URL without a trailing slash. Throws TypeError if no call can be sent there. */
export function rootOf(baseUrl: string): string {
  if (!isHttp(baseUrl)) {
    const meant = `http://${String(baseUrl).replace(/^\w+:\/+/, '')}`
    const suggested = isHttp(meant) ? meant : 'https://scores.example.com'
    throw new TypeError(
      `baseUrl is ${JSON.stringify(baseUrl)}. Pass an http or https URL without user, query and fragment, such as ${JSON.stringify(suggested)}.`,
    )
  }
  return baseUrl.replace(/\/+$/, '')
}

function isHttp(baseUrl: string): boolean {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href
  try {
    // In a page, '' and paths are on the page's own origin.
    const { protocol, username, password, search, hash } = new URL(baseUrl, /^(\/|$)/.test(baseUrl) ? page : undefined)
    return /^https?:$/.test(protocol) && username + password + search + hash === ''
  } catch {
    return false
  }
}

function serviceOf({ baseUrl, fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS }: TransportOptions): Service {
  return { root: rootOf(baseUrl), fetch, timeoutMs }
}

interface Service {
  /** The base URL without a trailing slash. */
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
    if (!response.ok) throw await problemOf(response)
    text = await response.text()
  } catch (failure) {
    throw failure instanceof ProblemError ? failure : new Unreachable(root, failure)
  }
  const { headers: received } = response
  return {
    body: jsonOf(text, response.status),
    consistencyToken: received.get('X-Consistency-Token'),
    replayed: received.get('Idempotent-Replay') === 'true',
    etag: received.get('ETag'),
  }
}

/** Limits the time until the answer begins, not the time of its body. */
async function opened({ root, fetch, timeoutMs }: Service, call: Sending, headers: Headers): Promise<Response> {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(), timeoutMs)
  const signal = call.signal === undefined ? slow.signal : AbortSignal.any([slow.signal, call.signal])
  try {
    const response = await fetch(root + call.path, { headers, signal, redirect: 'error' })
    if (!response.ok) throw await problemOf(response)
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
    yield* textChunks(body)
  } catch (failure) {
    throw new Unreachable(root, failure)
  }
}

/** Retries a call, with the same headers, while that is safe and there is time left. */
function repeating(options: TransportOptions) {
  return async <Answer>(call: Sending, attempt: (headers: Headers) => Promise<Answer>): Promise<Answer> => {
    const headers = {
      Accept: 'application/json',
      ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(call.method === 'GET' ? {} : { 'Idempotency-Key': crypto.randomUUID() }),
      ...call.headers,
    }
    const patience = call.patience ?? patienceOf(options)
    for (let times = 0; ; times++) {
      const began = performance.now()
      try {
        return await attempt(headers)
      } catch (failure) {
        if (call.single === true || call.signal?.aborted === true) throw failure
        if (call.once === true && !(failure instanceof ProblemError && failure.status === 429)) throw failure
        const spentMs = times === 0 ? 0 : performance.now() - began
        if (!(await patience.wait(failure, times, spentMs))) throw failure
      }
    }
  }
}

function patienceOf({ patienceMs = RETRY_MS, reconnectMs = RECONNECT_MS, onWait }: TransportOptions): Patience {
  const left = { refused: patienceMs, unreachable: reconnectMs }
  return {
    async wait(failure, times, spentMs) {
      const budget = failure instanceof Unreachable ? 'unreachable' : 'refused'
      // A host that swallows packets costs time in each attempt.
      if (failure instanceof Unreachable) left.unreachable -= spentMs
      const waitMs = waitFor(failure, times)
      if (waitMs === null || waitMs > left[budget]) return false
      left[budget] -= waitMs
      onWait?.(waitMs, failure as ProblemError | Unreachable)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      return true
    },
  }
}

/** Milliseconds until a retry makes sense; null if it does not. */
export function waitFor(failure: unknown, times: number): number | null {
  const backoffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times) * (0.5 + Math.random() / 2)
  if (failure instanceof Unreachable) return backoffMs
  if (!(failure instanceof ProblemError)) return null
  if (failure.code === 'idempotency_in_progress') return backoffMs
  if (!PASSING.has(failure.status)) return null
  return askedWaitMs(failure) ?? backoffMs
}

function jsonOf(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProblemError(status, { detail: 'The answer is not JSON: is this the address of a Scorebook service?' })
  }
}
