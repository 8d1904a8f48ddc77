// Polls the active-build pointer between heartbeats, so that all nodes switch builds within about a second. On a
// projector each poll also drives the rebuild state machine.

import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { failureText } from '../../runtime/repeated-failures.ts'
import type { NodeBuilds } from './builds.ts'

const EVERY_ALONE_MS = 200
const EVERY_MS = 1_000

interface PollDeps {
  readonly builds: NodeBuilds
  readonly isAlone: boolean
  readonly log: Logger
}

/** Polls until the signal aborts. `drive`, if given, runs before each poll. */
export async function followBuilds(
  { builds, isAlone, log }: PollDeps,
  drive: (() => Promise<void>) | null,
  stopping: AbortSignal,
): Promise<void> {
  // A derived signal: the shared one already has so many listeners that Node would warn of a leak.
  const signal = AbortSignal.any([stopping])
  while (!signal.aborted) {
    try {
      await setTimeout(isAlone ? EVERY_ALONE_MS : EVERY_MS, undefined, { signal, ref: false })
      await drive?.()
      await builds.refresh()
    } catch (error) {
      if (!signal.aborted)
        log.warn({ failure: failureText(error) }, 'the active view builds could not be read: trying again')
    }
  }
}
