// 200 uploads at once with a disk that stands still: what is held stays bounded, however fast and
// in whatever pieces bytes come.

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { realDisk } from '../../stores/files/disk.ts'
import { createIncomingBytes } from '../../stores/files/incoming-bytes.ts'
import { gate } from '../until.ts'
import { begin, openDoor, putHead, type Wire, wire } from './door-world.ts'
import { faulty } from './faulty-disk.ts'

const UPLOADS = 200
const SIZE = 4_000_000
const MOST_EACH = 2 * 1_048_576

describe('Memory of uploads', () => {
  it(`stays below 2 MiB for each of ${UPLOADS}`, async () => {
    const { opened: released, open: release } = gate()
    const disk = faulty(realDisk, (operation) => (operation === 'write' ? released : Promise.resolve()))
    const door = await openDoor({ disk })
    const bytes = randomBytes(SIZE)
    const lines: Wire[] = []
    const before = process.memoryUsage()
    for (let n = 0; n < UPLOADS; n++) {
      const { path } = await begin(door, bytes)
      const line = wire(door.port)
      line.socket.write(putHead(path, `Content-Length: ${SIZE}`))
      line.socket.write(bytes)
      lines.push(line)
    }
    // Until nobody takes more: then all that is ever held is held.
    const taken = () => lines.reduce((sum, { socket }) => sum + socket.bytesWritten - socket.writableLength, 0)
    for (let calm = 0, last = -1; calm < 300; calm = taken() === last ? calm + 1 : 0) {
      last = taken()
      await turn()
    }
    const held = process.memoryUsage()
    expect((held.rss - before.rss) / UPLOADS).to.be.lessThan(MOST_EACH)
    const { heapUsed, arrayBuffers } = before
    expect((held.heapUsed + held.arrayBuffers - heapUsed - arrayBuffers) / UPLOADS).to.be.lessThan(MOST_EACH)
    // It is the disk that they wait for.
    expect(door.stored.size).to.equal(0)
    release()
    for (const { socket } of lines) socket.destroy()
    await door.close()
  }).timeout(60_000)

  it('stays bounded for a sender of tiny pieces', async () => {
    let pushed = 0
    const source = new Readable({
      highWaterMark: 1,
      read() {
        pushed++
        this.push(Buffer.of(1))
      },
    })
    const inbox = createIncomingBytes(source, new AbortController().signal)
    for (let calm = 0, last = -1; calm < 50; calm = pushed === last ? calm + 1 : 0) {
      last = pushed
      await turn()
    }
    expect(pushed).to.be.within(256, 260)
    const gulp = await inbox.next()
    expect(gulp).to.have.length(256)
    inbox.close()
    source.destroy()
  })
})
