// A proxy that loses answers, cuts requests and refuses calls on purpose, and records what passed: it shows what a
// client does then. The connections of rooms pass through, and can be cut.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * `lost`: the server answers, and the connection ends before the client has it. A number: refused with this status.
 * `none`: it passes, and the fault after it is for the next call.
 */
export type Fault = 'none' | 'lost' | 429 | 503 | Cut

/**
 * Both connections end after this share (0 to 1) of a part. `request`: of its bytes, while the server reads them; at 1,
 * while the server is at work. `head` and `body`: of the answer, which is complete.
 */
export interface Cut {
  readonly cut: 'request' | 'head' | 'body'
  readonly after: number
}

export interface Passed {
  readonly call: string
  /** What the client got: a status, or 0 where the answer was lost. */
  readonly status: number
  readonly key: string | null
  /** Milliseconds of a monotonic clock at which the call arrived, and at which it was answered. */
  readonly arrived: number
  readonly answered: number
}

export interface FaultyProxy {
  readonly url: string
  /** What happens to the next calls whose method and path match, one fault each. */
  readonly faults: Map<RegExp, Fault[]>
  readonly passed: Passed[]
  /** A lost answer is cut after its head: where nothing arrived, a browser itself sends the call again. */
  headArrives: boolean
  close(): Promise<void>
}

export const RETRY_AFTER_S = 1
const PROBLEMS = { 429: 'rate_limited', 503: 'busy' } as const

/** Posted to by clients: ends the connections of rooms. */
export const CUT_ROOMS = '/cut-rooms'

/** `target`: the address of the server, once it is known. */
export async function faultyProxy(target: () => string): Promise<FaultyProxy> {
  const faults = new Map<RegExp, Fault[]>()
  const passed: Passed[] = []
  const rooms = new Set<Duplex>()
  const server = createServer((call, answer) => {
    const arrived = performance.now()
    const { method = '', url = '', headers } = call
    if (url === CUT_ROOMS) {
      for (const room of rooms) room.destroy()
      answer.writeHead(204, { 'Access-Control-Allow-Origin': '*' }).end()
      return
    }
    const { hostname, port } = new URL(target())
    const name = `${method} ${url}`
    // A preflight is the browser's own, and tells the client nothing.
    const fault = method === 'OPTIONS' ? undefined : next(name)
    const record = (status: number) => {
      if (method === 'OPTIONS') return
      const key = headers['idempotency-key']
      passed.push({ call: name, status, key: String(key ?? '') || null, arrived, answered: performance.now() })
    }
    if (typeof fault === 'number') {
      call.resume().on('end', () => {
        record(fault)
        refuse(answer, fault)
      })
      return
    }
    if (typeof fault === 'object') {
      const end = () => {
        record(0)
        call.socket.destroy()
      }
      cutCall(call, { host: hostname, port: Number(port) }, fault).then(end, end)
      return
    }
    const forwarded = request({ host: hostname, port, method, path: url, headers }, (from) => {
      if (fault === 'lost') {
        from.resume().on('end', () => {
          record(0)
          if (!proxy.headArrives) return call.socket.destroy()
          answer.writeHead(from.statusCode ?? 502, from.headers)
          answer.write('{', () => call.socket.destroy())
        })
        return
      }
      from.on('end', () => record(from.statusCode ?? 0))
      answer.writeHead(from.statusCode ?? 502, from.headers)
      from.pipe(answer)
    })
    forwarded.on('error', () => call.socket.destroy())
    call.pipe(forwarded)
  })
  server.on('upgrade', (call: IncomingMessage, caller: Duplex, head: Buffer) => {
    const { hostname, port } = new URL(target())
    const room = connect(Number(port), hostname)
    rooms.add(caller)
    const end = () => {
      rooms.delete(caller)
      caller.destroy()
      room.destroy()
    }
    for (const one of [caller, room]) one.on('error', end).on('close', end)
    const lines = [`GET ${call.url} HTTP/1.1`]
    for (let at = 0; at < call.rawHeaders.length; at += 2)
      lines.push(`${call.rawHeaders[at]}: ${call.rawHeaders[at + 1]}`)
    room.write(`${lines.join('\r\n')}\r\n\r\n`)
    room.write(head)
    caller.pipe(room).pipe(caller)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  function next(name: string): Fault | undefined {
    for (const [pattern, left] of faults) if (left.length > 0 && pattern.test(name)) return left.shift()
    return undefined
  }
  const proxy: FaultyProxy = {
    headArrives: true,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    passed,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}

/** Sends the call over a connection of its own, and cuts it or its answer. */
async function cutCall(call: IncomingMessage, target: { host: string; port: number }, fault: Cut): Promise<void> {
  const chunks: Buffer[] = [Buffer.from(headOf(call))]
  for await (const chunk of call) chunks.push(chunk)
  const sent = Buffer.concat(chunks)
  const server = connect(target)
  const isCutWithin = fault.cut === 'request'
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.write(isCutWithin ? sent.subarray(0, Math.ceil(sent.length * fault.after)) : sent, () => resolve())
  })
  if (!isCutWithin) {
    const answered: Buffer[] = []
    for await (const chunk of server) answered.push(chunk)
    const answer = Buffer.concat(answered)
    const head = answer.indexOf('\r\n\r\n') + 4
    const [from, to] = fault.cut === 'head' ? [0, head] : [head, answer.length]
    const passes = answer.subarray(0, from + Math.floor((to - from) * fault.after))
    await new Promise<void>((resolve) => call.socket.write(passes, () => resolve()))
  }
  server.destroy()
}

/** The server closes the connection after its answer. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'connection') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  }
  return `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`
}

function refuse(answer: ServerResponse, status: 429 | 503): void {
  answer.writeHead(status, {
    'Content-Type': 'application/problem+json',
    'Retry-After': String(RETRY_AFTER_S),
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After',
  })
  answer.end(JSON.stringify({ status, code: PROBLEMS[status], detail: 'Made by the test.' }))
}
