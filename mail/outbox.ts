// Sends mails in its own time, so that neither a slow server nor the answer it gives can be noticed by who asked for
// one. A few at a time, each tried again after pauses; what waits is bounded, and lost with the process: a code is
// requested again.

import { setTimeout } from 'node:timers/promises'
import type { CodeMail, Mail } from '../stores/contract/mail.ts'

const MAX_WAITING = 1_000
const AT_ONCE = 4
/** Pauses before the second try and those after it. */
const PAUSES_MS: readonly number[] = [1_000, 5_000, 30_000]

/** What is being sent at the end has this long to come to its own. */
const CLOSING_MS = 5_000

/** The mail will never be taken: trying again is no use. */
export class MailRefused extends Error {
  constructor(cause: unknown) {
    super('The mail was refused', { cause })
    this.name = 'MailRefused'
  }
}

export interface OutboxOptions {
  /** Rejects where the mail was not taken; with MailRefused where it never will be. */
  readonly deliver: (mail: CodeMail) => Promise<void>
  /** A try failed. `isLast`: the mail was given up. Never log the e-mail address or the code. */
  readonly failed: (why: unknown, isLast: boolean) => void
  /** Called with how many mails wait or are being sent, at each change. */
  readonly waiting?: (count: number) => void
  readonly maxWaiting?: number
  readonly pausesMs?: readonly number[]
  readonly end?: () => void
}

export function createOutbox(options: OutboxOptions): Mail {
  const { deliver, failed, maxWaiting = MAX_WAITING, pausesMs = PAUSES_MS } = options
  const waiting: CodeMail[] = []
  const workers = new Set<Promise<void>>()
  /** Mails taken and not yet sent or given up. */
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
      } catch (why) {
        const pause = why instanceof MailRefused ? undefined : pausesMs[attempt]
        const isLast = pause === undefined || closing.signal.aborted
        failed(why, isLast)
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
      if (workers.size < AT_ONCE) {
        const worker: Promise<void> = work().finally(() => workers.delete(worker))
        workers.add(worker)
      }
      return true
    },
    async close() {
      closing.abort()
      waiting.length = 0
      // A server that says nothing must not hold up who stops.
      await Promise.race([Promise.all(workers), setTimeout(CLOSING_MS, undefined, { ref: false })])
      options.end?.()
    },
  }
}
