// The body of a request that a polling client posts: its bytes, chunks and time are bounded, and how many of one network
// address are read at once.

import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { FRAME_MOST_BYTES } from '../../realtime/limits.ts'
import { createPosts, type PostLimits } from '../../realtime/posts.ts'
import { createReceived } from '../../realtime/received.ts'

const LIMITS: PostLimits = { perNetwork: 2, chunks: 10, withinMs: 10_000 }

function opened(limits: Partial<PostLimits> = {}, perNetwork = 10_000_000) {
  const received = createReceived({ perNetwork, perNode: 10_000_000 })
  const posts = createPosts(received, { ...LIMITS, ...limits })
  const post = (network = 'a') => {
    const request = new PassThrough()
    return { request, posted: posts.read(request as unknown as IncomingMessage, network) }
  }
  return { received, post }
}

describe('the body of a request that a polling client posts', () => {
  it('is read as the text it is, also where a letter arrives in two chunks', async () => {
    const { post, received } = opened()
    const { request, posted } = post()
    const bytes = Buffer.from('4 größer €')
    for (const at of [0, 4, 6, bytes.length - 1]) request.write(bytes.subarray(at, at + 1))
    request.destroy()
    expect(await posted).to.equal('gone')
    const again = post()
    again.request.write(bytes.subarray(0, 5))
    again.request.end(bytes.subarray(5))
    expect(await again.posted).to.deep.equal({ text: '4 größer €' })
    expect(received.bytes).to.equal(0)
  })

  it('is refused with 413 in more chunks than a body may have, or with more bytes', async () => {
    const { post, received } = opened()
    const chunks = post()
    for (let n = 0; n < 11; n++) {
      chunks.request.write('x')
      await new Promise((next) => setImmediate(next))
    }
    expect(await chunks.posted).to.deep.equal({ status: 413 })
    const bytes = post()
    bytes.request.write(Buffer.alloc(FRAME_MOST_BYTES))
    bytes.request.write('x')
    expect(await bytes.posted).to.deep.equal({ status: 413 })
    expect(received.bytes).to.equal(0)
  })

  it('is refused with 408 where it does not end in time', async () => {
    const { post } = opened({ withinMs: 1 })
    expect(await post().posted).to.deep.equal({ status: 408 })
  })

  it('is refused with 429 where as many of its network address are under way, and read once one of them ended', async () => {
    const { post } = opened()
    const [first, second, third, other] = [post(), post(), post(), post('b')]
    expect(await third.posted).to.deep.equal({ status: 429 })
    first.request.end('1')
    expect(await first.posted).to.deep.equal({ text: '1' })
    const fourth = post()
    for (const { request } of [fourth, second, other]) request.end('2')
    expect(await Promise.all([fourth.posted, second.posted, other.posted])).to.deep.equal(Array(3).fill({ text: '2' }))
  })

  it('is refused with 429 where its network address holds too much already, and holds nothing after it', async () => {
    const { post, received } = opened({}, 4_096)
    const { request, posted } = post()
    request.write(Buffer.alloc(5_000))
    expect(await posted).to.deep.equal({ status: 429 })
    expect(received.bytes).to.equal(0)
  })
})
