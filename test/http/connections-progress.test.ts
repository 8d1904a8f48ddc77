// An answer that its reader does not read ends with its connection; one that is read slowly does not.

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { z } from 'zod'
import { openRoute } from '../../http/route.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { get, openRaw, statusesIn } from './raw-connection.ts'

/** More than the system buffers of one connection. */
const BIG_BYTES = 16 * 1_048_576
const SHORT = { answerStallMs: 1_000, streamStallMs: 600_000, progressCheckEveryMs: 20 }
const READ_EVERY_MS = 8
const big = Buffer.alloc(BIG_BYTES, 'x')

const common = {
  method: 'GET',
  needs: 'nothing',
  tenantOnly: false,
  records: false,
  answers: { 200: z.unknown() },
} as const

function* endless() {
  for (;;) yield 'x'.repeat(65_536)
}

const routes = [
  openRoute({ ...common, path: '/api/test/big/', summary: 'Big.', handle: async () => ({ status: 200, body: big }) }),
  openRoute({
    ...common,
    path: '/api/test/stream/',
    summary: 'A stream.',
    handle: async () => ({ status: 200, body: Readable.from(endless()) }),
  }),
]

describe('the progress of answers', () => {
  let world: World
  afterEach(() => world.close())

  const closed = async () =>
    (await world.metrics.metrics()).split('\n').filter((line) => line.startsWith('scorebook_http_closed_total{'))

  /** A connection that has requested a path and reads nothing, and the socket of the server for it. */
  async function silent(path: string) {
    const accepted = once(world.http.server, 'connection')
    const raw = await openRaw(world.port)
    raw.socket.pause()
    raw.socket.write(get(path, 'Connection: close'))
    const [socket] = (await accepted) as [Socket]
    return { ...raw, accepted: socket }
  }

  it('closes a connection that reads nothing of its answer for the time limit, and no stream', async () => {
    world = await createWorld({ routes, edgeLimits: SHORT })
    const stream = await silent('/api/test/stream/')
    const answer = await silent('/api/test/big/')
    const began = performance.now()
    await once(answer.accepted, 'close')
    expect(performance.now() - began).to.be.greaterThan(SHORT.answerStallMs)
    expect(await closed()).to.deep.equal(['scorebook_http_closed_total{reason="stalled"} 1'])
    expect(stream.accepted.destroyed).to.equal(false)
    answer.socket.resume()
    const text = await answer.ended
    expect(statusesIn(text)).to.deep.equal([200])
    expect(text.length).to.be.lessThan(BIG_BYTES)
    stream.socket.destroy()
  })

  it('closes a connection that reads nothing of its stream for the time limit of streams', async () => {
    world = await createWorld({ routes, edgeLimits: { ...SHORT, answerStallMs: 600_000, streamStallMs: 1_000 } })
    const stream = await silent('/api/test/stream/')
    const began = performance.now()
    await once(stream.accepted, 'close')
    expect(performance.now() - began).to.be.greaterThan(1_000)
    expect(await closed()).to.deep.equal(['scorebook_http_closed_total{reason="stalled"} 1'])
    stream.socket.destroy()
  })

  it('lets a reader take longer than the limit in total, as long as it reads some', async () => {
    world = await createWorld({ routes, edgeLimits: SHORT })
    const { socket, ended } = await silent('/api/test/big/')
    const began = performance.now()
    const reading = setInterval(() => {
      socket.resume()
      socket.once('data', () => socket.pause())
    }, READ_EVERY_MS)
    const text = await ended
    clearInterval(reading)
    expect(performance.now() - began).to.be.greaterThan(SHORT.answerStallMs)
    expect(text.length).to.be.greaterThan(BIG_BYTES)
    expect(await closed()).to.deep.equal([])
  })
})
