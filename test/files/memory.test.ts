// 200 uploads at once, of senders who send as fast as they can, with a disk that stands still: what is held stays bounded.

import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { realDisk } from '../../stores/files/disk.ts'
import { begin, openDoor, putHead, wire } from './door-world.ts'
import { faulty } from './faulty-disk.ts'

const UPLOADS = 200
const SIZE = 4_000_000
const MOST_EACH = 2 * 1_048_576

describe('Memory of uploads', () => {
  for (const [how, piece] of [
    ['as fast as they can', 65_536],
    ['in tiny pieces', 20],
  ] as const) {
    it(`stays below 2 MiB for each of ${UPLOADS} that send ${how}`, async () => {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const disk = faulty(realDisk, (operation) => (operation === 'write' ? released : Promise.resolve()))
      const door = await openDoor({ disk })
      const bytes = randomBytes(SIZE)
      const lines = []
      const before = process.memoryUsage()
      for (let n = 0; n < UPLOADS; n++) {
        const { path } = await begin(door, bytes)
        const line = wire(door.port)
        line.socket.write(putHead(path, `Content-Length: ${SIZE}`))
        lines.push(line)
      }
      const sent = lines.map(() => 0)
      const isBlocked = lines.map(() => false)
      // Sends until nobody takes more: then all that is ever held is held.
      for (let calm = 0; calm < 200; calm++) {
        lines.forEach(({ socket }, n) => {
          if (isBlocked[n] || (sent[n] ?? 0) >= SIZE) return
          calm = 0
          const at = sent[n] ?? 0
          const isTaken = socket.write(bytes.subarray(at, Math.min(at + piece, SIZE)))
          sent[n] = at + Math.min(piece, SIZE - at)
          if (isTaken) return
          isBlocked[n] = true
          socket.once('drain', () => {
            isBlocked[n] = false
          })
        })
        await turn()
      }
      const held = process.memoryUsage()
      // What the senders, in this very process, hold back themselves counts too: it is little.
      const grown = held.rss - before.rss
      expect(grown / UPLOADS).to.be.lessThan(MOST_EACH)
      expect(held.arrayBuffers - before.arrayBuffers + held.heapUsed - before.heapUsed).to.be.lessThan(
        UPLOADS * MOST_EACH,
      )
      release()
      for (const { socket } of lines) socket.destroy()
      await door.close()
    }).timeout(60_000)
  }
})
