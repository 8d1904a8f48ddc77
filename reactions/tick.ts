// Runs reactions that are due by time instead of by an event. They run on every node, for the partitions that the
// node owns. Two nodes may run one at once, and a run may end in a crash: both must be harmless.

import { setTimeout } from 'node:timers/promises'

export interface Timed {
  readonly name: string
  /** Pause between two runs, in ms. */
  readonly everyMs: number
  /**
   * Sends the commands that are due. If it rejects, the failure is reported and the next run tries again. The signal
   * aborts when the node stops.
   */
  run(partitions: ReadonlySet<number>, nowMs: number, signal: AbortSignal): Promise<void>
}

interface TimedDeps {
  /** The partitions that this node owns now. */
  held(): ReadonlySet<number>
  /** Unix milliseconds. */
  now(): number
  failed(reaction: string, error: unknown): void
}

/** Runs until the signal aborts. */
export async function runTimed(deps: TimedDeps, timed: Timed, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const partitions = deps.held()
    try {
      if (partitions.size > 0) await timed.run(partitions, deps.now(), signal)
    } catch (error) {
      deps.failed(timed.name, error)
    }
    await setTimeout(timed.everyMs, undefined, { signal }).catch(() => {})
  }
}
