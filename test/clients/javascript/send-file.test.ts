// `sendFile` against a simulated server: which failures it retries.

import { expect } from 'chai'
import { ProblemError } from '../../../clients/javascript/problem.ts'
import { sendFile } from '../../../clients/javascript/send-file.ts'

const NEW = { path: '/a', size: 1 }

async function sent(refusals: readonly ProblemError[]) {
  const left = [...refusals]
  const waits: unknown[] = []
  const steps = {
    beginUpload: async () => ({ upload_id: 'u1', method: 'PUT', url: 'http://x.example/', headers: {} }) as never,
    completeUpload: async (_: string, upload: string) => ({ path: `/a of ${upload}` }) as never,
  }
  const send = async () => {
    const refusal = left.shift()
    if (refusal !== undefined) throw refusal
  }
  const options = { onWait: (_: number, error: unknown) => void waits.push(error) }
  const { path } = await sendFile(steps, { bucket: 'b1', file: NEW, send }, options).catch((error: Error) => ({
    path: error.message,
  }))
  return { path, waits }
}

describe('sendFile', () => {
  it('waits until the server has ended the connection of bytes that were cut', async () => {
    const running = new ProblemError(409, { code: 'upload_running', detail: 'Running.' })
    expect(await sent([running, running])).to.deep.equal({ path: '/a of u1', waits: [running, running] })
  })

  it('does not retry a permanent failure', async () => {
    const wrong = new ProblemError(422, { code: 'checksum_mismatch', detail: 'Other bytes.' })
    expect(await sent([wrong])).to.deep.equal({ path: wrong.message, waits: [] })
  })
})
