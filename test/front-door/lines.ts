// Reads an answer of lines one by one, over its own connection.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Body } from './http-client.ts'

export interface Lines {
  readonly status: number
  readonly contentType: string | undefined
  /** The next line, parsed; null after an orderly end. Rejects if the connection was cut. */
  next(): Promise<Body>
  /** All lines until the end. */
  all(): Promise<Body[]>
  /** The raw answer, for tests that do not read it. */
  readonly incoming: IncomingMessage
  close(): void
}

export async function openLines(port: number, path: string, token: string): Promise<Lines> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  })
  outgoing.end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  outgoing.on('error', () => {})
  const lines = linesOf(incoming)
  const next = async () => {
    const { done, value } = await lines.next()
    return done === true ? null : value
  }
  return {
    status: incoming.statusCode ?? 0,
    contentType: incoming.headers['content-type'],
    next,
    all: async () => {
      const all: Body[] = []
      for (let line = await next(); line !== null; line = await next()) all.push(line)
      return all
    },
    incoming,
    close: () => outgoing.destroy(),
  }
}

async function* linesOf(incoming: IncomingMessage): AsyncGenerator<Body> {
  let rest = ''
  for await (const chunk of incoming.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
  if (rest !== '') throw new Error(`the last line has no end: ${rest}`)
}
