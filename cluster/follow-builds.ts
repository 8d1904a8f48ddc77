// Which builds of the views are shown, looked at between the heartbeats too, so that a switch comes to all nodes within
// moments; and on a projector what is due by that.

import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { failureText } from '../observability/repeated-failures.ts'
import type { NodeBuilds } from './builds.ts'

const EVERY_ALONE_MS = 200
const EVERY_MS = 1_000

interface Looking {
  readonly builds: NodeBuilds
  readonly isAlone: boolean
  readonly log: Logger
}

/** Until the signal aborts. `drive`: what the one who drives does first, each time. */
export async function followBuilds(
  { builds, isAlone, log }: Looking,
  drive: (() => Promise<void>) | null,
  stopping: AbortSignal,
): Promise<void> {
  // Of its own, as so many listen to the other one that Node warns of it.
  const signal = AbortSignal.any([stopping])
  while (!signal.aborted) {
    try {
      await setTimeout(isAlone ? EVERY_ALONE_MS : EVERY_MS, undefined, { signal, ref: false })
      await drive?.()
      await builds.look()
    } catch (why) {
      if (!signal.aborted)
        log.warn({ failure: failureText(why) }, 'the builds of views could not be looked at: trying again')
    }
  }
}
