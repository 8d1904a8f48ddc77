// Files' bytes through nginx as it is shipped.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { sha256 } from '../bytes.ts'
import { startNginx } from '../deploy/nginx.ts'
import { freePort } from '../free-port.ts'
import { call } from '../http/pipeline-calls.ts'
import { begin, linkTo, openDoor, putHead, wire } from './door-world.ts'

const BYTES = randomBytes(5_000_000)

describe('Files’ bytes through nginx', () => {
  it('come and go as they are, of any size, and are refused as without it', async () => {
    const door = await openDoor()
    const nginx = await startNginx([door.port, await freePort()])
    try {
      const url = `http://127.0.0.1:${nginx.port}`
      const { path, upload, expected } = await begin(door, BYTES)
      // Refused bodies are short: who sends on while it is being refused may hear of the end of the connection alone.
      const short = await call(url + path, { method: 'PUT', body: BYTES.subarray(0, 9) })
      expect([short.status, short.json.code]).to.deep.equal([400, 'size_mismatch'])
      expect((await call(url + path, { method: 'PUT', body: BYTES })).text).to.equal('{}')
      expect(door.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
      const link = url + (await linkTo(door, expected.blob))
      const whole = await fetch(link)
      expect(Buffer.from(await whole.arrayBuffer()).equals(BYTES)).to.equal(true)
      const part = await fetch(link, { headers: { range: 'bytes=4999990-' } })
      expect([part.status, Buffer.from(await part.arrayBuffer())]).to.deep.equal([206, BYTES.subarray(4_999_990)])
      const chunked = await begin(door, BYTES)
      const line = wire(nginx.port)
      // Never ended: of a body that nginx has whole when it passes it on, it says the length itself.
      line.socket.write(`${putHead(chunked.path, 'Transfer-Encoding: chunked')}5\r\nabcde\r\n`)
      expect(await line.until('length_required')).to.match(/^HTTP\/1.1 411 /)
      line.socket.destroy()
      expect(nginx.said()).not.to.include(path)
    } finally {
      await nginx.stop()
      await door.close()
    }
  })
})
