// 200 concurrent uploads with a disk that blocks: memory stays bounded, for any speed and any chunks.

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { realDisk } from '../../stores/files/disk.ts'
import { createIncomingBytes, HeldBytes } from '../../stores/files/incoming-bytes.ts'
import { gate } from '../until.ts'
import { faulty } from './faulty-disk.ts'
import { begin, openFilesApi, openRawConnection, putHead, type RawConnection } from './files-api.ts'

const UPLOADS = 200
const SIZE = 4_000_000
const MAX_EACH = 2 * 1_048_576

describe('Memory of uploads', () => {
  it(`stays below 2 MiB for each of ${UPLOADS} uploads`, async () => {
    const { opened: released, open: release } = gate()
    const disk = faulty(realDisk, (operation) => (operation === 'write' ? released : Promise.resolve()))
    const api = await openFilesApi({ disk })
    const bytes = randomBytes(SIZE)
    const lines: RawConnection[] = []
    const before = process.memoryUsage()
    for (let n = 0; n < UPLOADS; n++) {
      const { path } = await begin(api, bytes)
      const line = openRawConnection(api.port)
      line.socket.write(putHead(path, `Content-Length: ${SIZE}`))
      line.socket.write(bytes)
      lines.push(line)
    }
    // Until no connection accepts more: then memory use is at its maximum.
    const taken = () => lines.reduce((sum, { socket }) => sum + socket.bytesWritten - socket.writableLength, 0)
    for (let calm = 0, last = -1; calm < 300; calm = taken() === last ? calm + 1 : 0) {
      last = taken()
      await nextTurn()
    }
    const held = process.memoryUsage()
    expect((held.rss - before.rss) / UPLOADS).to.be.lessThan(MAX_EACH)
    const { heapUsed, arrayBuffers } = before
    expect((held.heapUsed + held.arrayBuffers - heapUsed - arrayBuffers) / UPLOADS).to.be.lessThan(MAX_EACH)
    // They wait for the disk.
    expect(api.stored.size).to.equal(0)
    release()
    for (const { socket } of lines) socket.destroy()
    await api.close()
  }).timeout(60_000)

  it('stays bounded for a sender of tiny chunks', async () => {
    let pushed = 0
    const source = new Readable({
      highWaterMark: 1,
      read() {
        pushed++
        this.push(Buffer.of(1))
      },
    })
    const inbox = createIncomingBytes(source, new AbortController().signal, new HeldBytes())
    for (let calm = 0, last = -1; calm < 50; calm = pushed === last ? calm + 1 : 0) {
      last = pushed
      await nextTurn()
    }
    expect(pushed).to.be.within(256, 260)
    const gulp = await inbox.next()
    expect(gulp).to.have.length(256)
    inbox.close()
    source.destroy()
  })
})
