// Limits on what polling clients send: the bytes, chunks and time of a POST body, the number that one network sends at
// once, and bytes that are not read yet.

import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { FRAME_MAX_BYTES } from '../../realtime/limits.ts'
import { createPostBodyReader, type PostBodyLimits } from '../../realtime/polling-transport.ts'
import { createUnreadBytes } from '../../realtime/unread-bytes.ts'
import { turn } from '../until.ts'

const LIMITS: PostBodyLimits = { perNetwork: 2, chunks: 10, withinMs: 10_000 }

function opened(limits: Partial<PostBodyLimits> = {}, perNetwork = 10_000_000) {
  const unread = createUnreadBytes({ perNetwork, perNode: 10_000_000 })
  const posts = createPostBodyReader(unread, { ...LIMITS, ...limits })
  const post = (network = 'a') => {
    const request = new PassThrough()
    return { request, posted: posts.read(request as unknown as IncomingMessage, network) }
  }
  return { unread, post }
}

describe('a POST body of a polling client', () => {
  it('is read unchanged, also if a character is split between two chunks', async () => {
    const { post, unread } = opened()
    const { request, posted } = post()
    const bytes = Buffer.from('4 größer €')
    for (const at of [0, 4, 6, bytes.length - 1]) request.write(bytes.subarray(at, at + 1))
    request.destroy()
    expect(await posted).to.equal('gone')
    const again = post()
    again.request.write(bytes.subarray(0, 5))
    again.request.end(bytes.subarray(5))
    expect(await again.posted).to.deep.equal({ text: '4 größer €' })
    expect(unread.bytes).to.equal(0)
  })

  it('is refused with 413 if it has too many chunks or bytes', async () => {
    const { post, unread } = opened()
    const chunks = post()
    for (let n = 0; n < 11; n++) {
      chunks.request.write('x')
      await turn()
    }
    expect(await chunks.posted).to.deep.equal({ status: 413 })
    const bytes = post()
    bytes.request.write(Buffer.alloc(FRAME_MAX_BYTES))
    bytes.request.write('x')
    expect(await bytes.posted).to.deep.equal({ status: 413 })
    expect(unread.bytes).to.equal(0)
  })

  it('is refused with 408 if it does not end in time', async () => {
    const { post } = opened({ withinMs: 1 })
    expect(await post().posted).to.deep.equal({ status: 408 })
  })

  it('is refused with 429 while too many bodies of its network address are being read', async () => {
    const { post } = opened()
    const [first, second, third, other] = [post(), post(), post(), post('b')]
    expect(await third.posted).to.deep.equal({ status: 429 })
    first.request.end('1')
    expect(await first.posted).to.deep.equal({ text: '1' })
    const fourth = post()
    for (const { request } of [fourth, second, other]) request.end('2')
    expect(await Promise.all([fourth.posted, second.posted, other.posted])).to.deep.equal(Array(3).fill({ text: '2' }))
  })

  it('is refused with 429 if its network address has too many unread bytes, and then counts none', async () => {
    const { post, unread } = opened({}, 4_096)
    const { request, posted } = post()
    request.write(Buffer.alloc(5_000))
    expect(await posted).to.deep.equal({ status: 429 })
    expect(unread.bytes).to.equal(0)
  })
})

describe('the count of unread bytes', () => {
  it('refuses bytes over the limit of a network address or of the node', () => {
    const unread = createUnreadBytes({ perNetwork: 100, perNode: 150 })
    const [one, same, other] = [unread.account('a'), unread.account('a'), unread.account('b')]
    expect([one.add(60), same.add(41), same.add(40), one.add(1)]).to.deep.equal([true, false, true, false])
    expect([other.add(51), other.add(50), unread.bytes]).to.deep.equal([false, true, 150])
  })

  it('frees the bytes that an account subtracts, and all bytes of a closed account', () => {
    const unread = createUnreadBytes({ perNetwork: 100, perNode: 100 })
    const [one, other] = [unread.account('a'), unread.account('a')]
    one.add(100)
    one.subtract(30)
    expect([other.add(31), other.add(30)]).to.deep.equal([false, true])
    one.close()
    one.close()
    expect(unread.bytes).to.equal(30)
  })

  it('never goes below zero, and ignores bytes added to a closed account', () => {
    const unread = createUnreadBytes({ perNetwork: 100, perNode: 100 })
    const one = unread.account('a')
    one.add(10)
    one.subtract(50)
    expect(unread.bytes).to.equal(0)
    one.close()
    expect([one.add(500), unread.bytes]).to.deep.equal([true, 0])
  })
})
