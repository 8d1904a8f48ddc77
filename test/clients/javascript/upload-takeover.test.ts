// An upload of the client library whose link another connection holds without sending.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import type { BegunUpload } from '../../../clients/javascript/file-shapes.ts'
import { sendBy, sendFile } from '../../../clients/javascript/send-file.ts'
import { begin, filesBelow, openFilesApi, openRawConnection, putHead } from '../../files/files-api.ts'
import { until } from '../../until.ts'

describe('an upload of the client library', () => {
  it('succeeds although a sender has vanished in the middle of the same upload', async () => {
    const api = await openFilesApi()
    const bytes = randomBytes(100_000)
    const { path, upload } = await begin(api, bytes)
    const vanished = openRawConnection(api.port)
    vanished.socket.write(putHead(path, `Content-Length: ${bytes.length}`))
    vanished.socket.write(bytes.subarray(0, 10))
    await until(() => filesBelow(api.folder).length > 0)
    const begun: BegunUpload = { upload_id: upload, method: 'PUT', url: api.url + path, headers: {}, expires_in: 900 }
    const steps = {
      beginUpload: async () => begun,
      completeUpload: async (_: string, id: string) => ({ path: `/${id}` }) as never,
    }
    const waits: number[] = []
    const file = await sendFile(
      steps,
      { bucket: 'b1', file: { path: '/a', size: bytes.length }, send: sendBy(new Blob([bytes])) },
      { onWait: (waitMs) => void waits.push(waitMs) },
    )
    expect(file.path).to.equal(`/${upload}`)
    expect(api.stored.get(upload)?.size).to.equal(bytes.length)
    expect(waits.length, 'one wait of Retry-After is enough, or two on a slow machine').to.be.within(1, 2)
    expect(await vanished.ended).to.equal('')
    await api.close()
  })
})
