// The load: a process of its own that keeps connections busy, each with one request in flight, over raw sockets, so that
// it costs little beside the server it loads. It gets whole requests as text and tells how they were answered.

import { connect, type Socket } from 'node:net'

export interface Load {
  readonly port: number
  readonly connections: number
  /** Sent once each, in order. */
  readonly requests: readonly string[]
  /** So many bytes, any, are sent after each request. */
  readonly bodyBytes?: number
  /** Whether all answers are returned, not only the last one. */
  readonly keepsAnswers?: boolean
}

export interface Loaded {
  readonly ms: number
  /** Answers that were not 2xx, and the first of them. */
  readonly refused: number
  readonly refusal: string | null
  /** The last answer, whole, or the beginning of a long one. */
  readonly sample: string
  /** Where they were asked for; in the order in which they came. */
  readonly answers: readonly string[]
}

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)\r\n/i
/** Of an answer, so many bytes are kept; all others are counted. */
const KEPT_BYTES = 65_536

async function run({ port, connections, requests, bodyBytes = 0, keepsAnswers = false }: Load): Promise<Loaded> {
  const body = Buffer.alloc(bodyBytes, 'any bytes do')
  const answers: string[] = []
  let next = 0
  let refused = 0
  let refusal: string | null = null
  let sample = ''
  const took = (answer: string) => {
    sample = answer
    if (keepsAnswers) answers.push(answer)
    if (answer.startsWith('HTTP/1.1 2')) return
    refused++
    refusal ??= answer
  }
  const began = performance.now()
  // It never sleeps meanwhile: waking another process is dear on a virtual machine, and is charged to the one that wakes.
  let running = true
  const stayAwake = () => {
    if (running) setImmediate(stayAwake)
  }
  stayAwake()
  await Promise.all(
    Array.from({ length: Math.min(connections, requests.length) }, async () => {
      const socket = await opened(port)
      await converse(socket, () => requests[next++], body, took)
      socket.destroy()
    }),
  )
  running = false
  return { ms: performance.now() - began, refused, refusal, sample, answers }
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** One request after another on one connection, until there is none left. */
function converse(
  socket: Socket,
  next: () => string | undefined,
  body: Buffer,
  took: (answer: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let held = ''
    let came = 0
    let whole = Number.POSITIVE_INFINITY
    const send = () => {
      const request = next()
      if (request === undefined) return resolve()
      socket.write(request, 'latin1')
      if (body.length > 0) socket.write(body)
    }
    socket.on('data', (chunk: Buffer) => {
      came += chunk.length
      if (held.length < KEPT_BYTES) held += chunk.toString('latin1', 0, KEPT_BYTES)
      if (whole === Number.POSITIVE_INFINITY) {
        const head = held.indexOf(HEAD_END)
        if (head >= 0) whole = head + HEAD_END.length + Number(LENGTH.exec(held)?.[1] ?? 0)
      }
      if (came < whole) return
      took(held)
      held = ''
      came = 0
      whole = Number.POSITIVE_INFINITY
      send()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    send()
  })
}

process.on('message', (load: Load) => {
  run(load).then(
    (loaded) => process.send?.({ loaded }),
    (failure: Error) => process.send?.({ failure: failure.message }),
  )
})
