// Uploads and downloads through nginx with the shipped configuration.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { sha256 } from '../bytes.ts'
import { startNginx } from '../deploy/nginx.ts'
import { freePort } from '../free-port.ts'
import { call } from '../http/pipeline-calls.ts'
import { begin, linkTo, openFilesApi, openRawConnection, putHead } from './files-api.ts'

const BYTES = randomBytes(5_000_000)

describe('Uploads and downloads through nginx', () => {
  it('transfer files of any size unchanged, and are refused as without nginx', async () => {
    const api = await openFilesApi()
    const nginx = await startNginx([api.port, await freePort()])
    try {
      const url = `http://127.0.0.1:${nginx.port}`
      const { path, upload, expected } = await begin(api, BYTES)
      // Refused bodies are short: a client that keeps sending may see only the end of the connection, not the answer.
      const short = await call(url + path, { method: 'PUT', body: BYTES.subarray(0, 9) })
      expect([short.status, short.json.code]).to.deep.equal([400, 'size_mismatch'])
      expect((await call(url + path, { method: 'PUT', body: BYTES })).text).to.equal('{}')
      expect(api.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
      const link = url + (await linkTo(api, expected.blob))
      const whole = await fetch(link)
      expect(Buffer.from(await whole.arrayBuffer()).equals(BYTES)).to.equal(true)
      const part = await fetch(link, { headers: { range: 'bytes=4999990-' } })
      expect([part.status, Buffer.from(await part.arrayBuffer())]).to.deep.equal([206, BYTES.subarray(4_999_990)])
      const chunked = await begin(api, BYTES)
      const line = openRawConnection(nginx.port)
      // Never ended: nginx adds Content-Length to a body that it has completely buffered.
      line.socket.write(`${putHead(chunked.path, 'Transfer-Encoding: chunked')}5\r\nabcde\r\n`)
      expect(await line.until('length_required')).to.match(/^HTTP\/1.1 411 /)
      line.socket.destroy()
      expect(nginx.output()).not.to.include(path)
    } finally {
      await nginx.stop()
      await api.close()
    }
  })
})
