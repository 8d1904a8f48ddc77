// Sends mails in the background, so that callers cannot observe the speed or the answer of the mail server. A few are
// sent at a time, with retries. The queue is bounded and lost when the process ends; players then request another code.

import { setTimeout } from 'node:timers/promises'
import type { CodeMail, Mail } from '../contract/mail.ts'

const QUEUE_MAX = 1_000
const CONCURRENCY = 4
/** Pauses before the second and later attempts. */
const PAUSES_MS: readonly number[] = [1_000, 5_000, 30_000]

/** Time that mails in transfer get when the process stops. */
const CLOSING_MS = 5_000

/** The server rejected the mail permanently: it is not retried. */
export class MailRefused extends Error {
  constructor(cause: unknown) {
    super('The mail was refused', { cause })
    this.name = 'MailRefused'
  }
}

export interface OutboxOptions {
  /** Rejects if the mail was not accepted, with MailRefused if the rejection is permanent. */
  readonly deliver: (mail: CodeMail) => Promise<void>
  /** Called for each failed attempt. `isLast`: there are no more attempts. Never log the e-mail address or the code. */
  readonly failed: (error: unknown, isLast: boolean) => void
  /** Called with the number of queued and active mails whenever it changes. */
  readonly waiting?: (count: number) => void
  readonly maxWaiting?: number
  readonly pausesMs?: readonly number[]
  readonly end?: () => void
}

export function createOutbox(options: OutboxOptions): Mail {
  const { deliver, failed, maxWaiting = QUEUE_MAX, pausesMs = PAUSES_MS } = options
  const waiting: CodeMail[] = []
  const workers = new Set<Promise<void>>()
  /** Mails accepted and not yet sent or dropped. */
  let pending = 0
  const closing = new AbortController()

  async function work(): Promise<void> {
    for (let mail = waiting.shift(); mail !== undefined; mail = waiting.shift()) {
      await sendOne(mail)
      pending -= 1
      options.waiting?.(pending)
    }
  }

  async function sendOne(mail: CodeMail): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await deliver(mail)
      } catch (error) {
        const pause = error instanceof MailRefused ? undefined : pausesMs[attempt]
        const isLast = pause === undefined || closing.signal.aborted
        failed(error, isLast)
        if (isLast) return
        await setTimeout(pause, undefined, { signal: closing.signal }).catch(() => {})
        if (closing.signal.aborted) return
      }
    }
  }

  return {
    send(mail) {
      if (closing.signal.aborted || pending >= maxWaiting) return false
      pending += 1
      options.waiting?.(pending)
      waiting.push(mail)
      if (workers.size < CONCURRENCY) {
        const worker: Promise<void> = work().finally(() => workers.delete(worker))
        workers.add(worker)
      }
      return true
    },
    async close() {
      closing.abort()
      waiting.length = 0
      // A silent server must not delay the shutdown.
      await Promise.race([Promise.all(workers), setTimeout(CLOSING_MS, undefined, { ref: false })])
      options.end?.()
    },
  }
}

/** Plain text. Line breaks in the game's name, which the tenant chooses, become spaces. */
export function messageOf({ email, code, game }: CodeMail) {
  const name = game.replace(/\s+/gu, ' ')
  return {
    to: email,
    subject: `${code} is your code for ${name}`,
    text: [
      `${code} is your code to sign in to ${name}.`,
      '',
      'It works once, within 15 minutes. If you did not ask for it, do nothing: nobody can sign in without it.',
      '',
    ].join('\n'),
  }
}
