// The outbox: bounded, with retries, and without delaying callers.

import { expect } from 'chai'
import type { CodeMail } from '../../../stores/contract/mail.ts'
import { createOutbox, MailRefused } from '../../../stores/smtp/outbox.ts'
import { gate, until } from '../../until.ts'

const mail = (n: number): CodeMail => ({ email: `a${n}@example.com`, code: '000000', game: 'Quest' })

/** Failures, each as whether it was the last try, and a wait for so many of them. */
function hearing() {
  const heard: boolean[] = []
  let woken = () => {}
  const failed = (_why: unknown, isLast: boolean) => {
    heard.push(isLast)
    woken()
  }
  const reached = async (count: number) => {
    while (heard.length < count) {
      await new Promise<void>((resolve) => {
        woken = resolve
      })
    }
    return heard
  }
  return { failed, reached }
}

describe('the outbox', () => {
  it('retries after each pause and then gives up', async () => {
    const { failed, reached } = hearing()
    const outbox = createOutbox({ deliver: () => Promise.reject(new Error('away')), failed, pausesMs: [1, 1] })
    expect(outbox.send(mail(1))).to.equal(true)
    expect(await reached(3)).to.deep.equal([false, false, true])
    await outbox.close()
  })

  it('sends a mail whose second attempt succeeds', async () => {
    const { failed } = hearing()
    const sent: string[] = []
    let tries = 0
    const { opened: finished, open: done } = gate()
    const deliver = async ({ email }: CodeMail) => {
      tries += 1
      if (tries === 1) throw new Error('not yet')
      sent.push(email)
      done()
    }
    const outbox = createOutbox({ deliver, failed, pausesMs: [1] })
    outbox.send(mail(1))
    await finished
    expect(sent).to.deep.equal(['a1@example.com'])
    await outbox.close()
  })

  it('does not retry a permanently rejected mail', async () => {
    const { failed, reached } = hearing()
    const outbox = createOutbox({ deliver: () => Promise.reject(new MailRefused('no')), failed, pausesMs: [60_000] })
    outbox.send(mail(1))
    expect(await reached(1)).to.deep.equal([true])
    await outbox.close()
  })

  it('accepts mails up to its limit, and another one after one is sent', async () => {
    const ends: (() => void)[] = []
    const deliver = () => new Promise<void>((resolve) => ends.push(resolve))
    const outbox = createOutbox({ deliver, failed: () => {}, maxWaiting: 3 })
    expect([1, 2, 3, 4].map((n) => outbox.send(mail(n)))).to.deep.equal([true, true, true, false])
    ends[0]?.()
    await until(() => outbox.send(mail(5)))
    const closed = outbox.close()
    for (const end of ends) end()
    await closed
    expect(outbox.send(mail(6))).to.equal(false)
  })

  it('ends at once if it is closed during a pause', async () => {
    const { failed, reached } = hearing()
    let ended = 0
    const end = () => {
      ended += 1
    }
    const outbox = createOutbox({ deliver: () => Promise.reject(new Error('away')), failed, pausesMs: [60_000], end })
    outbox.send(mail(1))
    await reached(1)
    await outbox.close()
    expect(ended).to.equal(1)
  })
})
