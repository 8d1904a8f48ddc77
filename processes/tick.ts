// The runner of what is due by time rather than by an event: asked again and again, on every node, for the partitions that
// this node holds. Two nodes that hold one at once must do nothing more than one, and a crash nothing less.

import { setTimeout } from 'node:timers/promises'

export interface Timed {
  readonly name: string
  /** How long it rests between two rounds. */
  readonly everyMs: number
  /**
   * Sends the commands that are due. A rejection is reported, and the next run tries again. The signal aborts when the node
   * stops.
   */
  run(partitions: ReadonlySet<number>, nowMs: number, signal: AbortSignal): Promise<void>
}

interface TimedDeps {
  /** The partitions that this node holds just now. */
  held(): ReadonlySet<number>
  /** Unix milliseconds. */
  now(): number
  failed(process: string, error: unknown): void
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
