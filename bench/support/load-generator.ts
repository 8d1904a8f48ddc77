// The load generator, a separate process: keeps connections busy with one request in flight each, over raw sockets to
// use little CPU. It receives complete requests as text and reports the answers.

import { connect, type Socket } from 'node:net'

export interface Load {
  /** 127.0.0.1 unless named. */
  readonly host?: string
  readonly port: number
  readonly connections: number
  /** Requests, each sent once, in order. */
  readonly requests: readonly string[]
  /** Number of arbitrary bytes to send after each request. */
  readonly bodyBytes?: number
  /** Whether all answers are returned, not only the last one. */
  readonly keepsAnswers?: boolean
}

export interface Loaded {
  readonly ms: number
  /** Milliseconds from sending each request to the end of its answer, in order of arrival. */
  readonly latenciesMs: readonly number[]
  /** Answers that were not 2xx, and the first of them. */
  readonly refused: number
  readonly refusal: string | null
  /** The last answer, or the beginning of a long one. */
  readonly sample: string
  /** All answers if requested, in order of arrival. */
  readonly answers: readonly string[]
}

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)\r\n/i
const CHUNKED = /\r\ntransfer-encoding: chunked\r\n/i
const LAST_CHUNK = '\r\n0\r\n\r\n'
/** Bytes kept of an answer; the rest is only counted. */
const KEPT_BYTES = 65_536

async function run({
  host = '127.0.0.1',
  port,
  connections,
  requests,
  bodyBytes = 0,
  keepsAnswers = false,
}: Load): Promise<Loaded> {
  const body = Buffer.alloc(bodyBytes, 'any bytes do')
  const answers: string[] = []
  const latenciesMs: number[] = []
  let next = 0
  let refused = 0
  let refusal: string | null = null
  let sample = ''
  const took = (answer: string, latencyMs: number) => {
    sample = answer
    latenciesMs.push(latencyMs)
    if (keepsAnswers) answers.push(answer)
    if (answer.startsWith('HTTP/1.1 2')) return
    refused++
    refusal ??= answer
  }
  const began = performance.now()
  // Never sleep meanwhile: waking another process is expensive on a virtual machine, and is charged to the waking
  // process.
  let running = true
  const stayAwake = () => {
    if (running) setImmediate(stayAwake)
  }
  stayAwake()
  await Promise.all(
    Array.from({ length: Math.min(connections, requests.length) }, async () => {
      const socket = await opened(host, port)
      await converse(socket, () => requests[next++], body, took)
      socket.destroy()
    }),
  )
  running = false
  return { ms: performance.now() - began, latenciesMs, refused, refusal, sample, answers }
}

function opened(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends requests sequentially on one connection until none is left. */
function converse(
  socket: Socket,
  next: () => string | undefined,
  body: Buffer,
  took: (answer: string, latencyMs: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let buffered = ''
    let received = 0
    let sentAt = 0
    let expectedLength = Number.POSITIVE_INFINITY
    const send = () => {
      const request = next()
      if (request === undefined) return resolve()
      sentAt = performance.now()
      socket.write(request, 'latin1')
      if (body.length > 0) socket.write(body)
    }
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (buffered.length < KEPT_BYTES) buffered += chunk.toString('latin1', 0, KEPT_BYTES)
      if (expectedLength === Number.POSITIVE_INFINITY) expectedLength = lengthOf(buffered)
      if (received < expectedLength) return
      took(buffered, performance.now() - sentAt)
      buffered = ''
      received = 0
      expectedLength = Number.POSITIVE_INFINITY
      send()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    send()
  })
}

/**
 * Bytes of the answer that begins like this; infinite as long as they are unknown. A chunked answer must be kept whole.
 */
function lengthOf(begun: string): number {
  const head = begun.indexOf(HEAD_END)
  if (head < 0) return Number.POSITIVE_INFINITY
  if (CHUNKED.test(begun)) return begun.endsWith(LAST_CHUNK) ? begun.length : Number.POSITIVE_INFINITY
  return head + HEAD_END.length + Number(LENGTH.exec(begun)?.[1] ?? 0)
}

process.on('message', (load: Load) => {
  run(load).then(
    (loaded) => process.send?.({ loaded }),
    (failure: Error) => process.send?.({ failure: failure.message }),
  )
})
