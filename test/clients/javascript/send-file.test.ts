// `sendFile` against a simulated server: which failures it retries.

import { expect } from 'chai'
import { ProblemError, problemOf } from '../../../clients/javascript/problem.ts'
import { sendFile } from '../../../clients/javascript/send-file.ts'

const NEW = { path: '/a', size: 1 }

async function sent(refusals: readonly ProblemError[]) {
  const left = [...refusals]
  const waits: unknown[] = []
  const waitedMs: number[] = []
  const steps = {
    beginUpload: async () => ({ upload_id: 'u1', method: 'PUT', url: 'http://x.example/', headers: {} }) as never,
    completeUpload: async (_: string, upload: string) => ({ path: `/a of ${upload}` }) as never,
  }
  const send = async () => {
    const refusal = left.shift()
    if (refusal !== undefined) throw refusal
  }
  const options = {
    onWait: (waitMs: number, error: unknown) => {
      waitedMs.push(waitMs)
      waits.push(error)
    },
  }
  const { path } = await sendFile(steps, { bucket: 'b1', file: NEW, send }, options).catch((error: Error) => ({
    path: error.message,
  }))
  return { path, waits, waitedMs }
}

describe('sendFile', () => {
  it('waits until the server has ended the connection of bytes that were cut', async () => {
    const running = new ProblemError(409, { code: 'upload_running', detail: 'Running.' })
    const { path, waits } = await sent([running, running])
    expect({ path, waits }).to.deep.equal({ path: '/a of u1', waits: [running, running] })
  })

  it('does not retry a permanent failure', async () => {
    const wrong = new ProblemError(422, { code: 'checksum_mismatch', detail: 'Other bytes.' })
    const { path, waits } = await sent([wrong])
    expect({ path, waits }).to.deep.equal({ path: wrong.message, waits: [] })
  })

  it('waits as long as the server asks for, and little longer', async () => {
    const headers = { 'Retry-After': '1' }
    const running = await problemOf(Response.json({ code: 'upload_running' }, { status: 409, headers }))
    const { path, waitedMs } = await sent([running])
    expect([path, waitedMs.length]).to.deep.equal(['/a of u1', 1])
    expect(waitedMs[0]).to.be.within(1_000, 1_250)
  })
})
