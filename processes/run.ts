// The runner of processes: a subscription to the log from where each process left off, in the partitions that this node
// holds. The checkpoint is saved after the reaction, so a crash between means that an event comes twice, never that it is
// missed.

import { setTimeout } from 'node:timers/promises'
import type { Position, StoredEvent } from '../domain/event.ts'
import { aborted, type Holding } from '../stores/contract/holding.ts'
import type { Log } from '../stores/contract/log.ts'
import { partitionOf } from '../stores/contract/partition.ts'
import type { Checkpoint, Views } from '../stores/contract/views.ts'
import type { Process } from './process.ts'

const BATCH = 1_000
/** Where nothing is to be reacted to, the checkpoints move along after this many events. */
const SAVE_EVERY = 10_000
const RETRY_AFTER_MS = 500

interface RunnerDeps {
  readonly log: Log
  readonly views: Views
  failed(process: string, why: unknown): void
}

export const processView = (process: Process): string => `process_${process.name}@1`

/** Runs a process until the signal aborts. After a failure it goes on from its last checkpoints. */
export async function runProcess(
  deps: RunnerDeps,
  process: Process,
  holding: Holding,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { partitions, changed } = holding.now()
    const round = AbortSignal.any([signal, changed])
    try {
      await deps.views.prepare({ key: processView(process), collections: [] })
      if (partitions.size === 0) await aborted(round)
      else await reactUntil(deps, process, partitions, round)
    } catch (why) {
      deps.failed(process.name, why)
      await setTimeout(RETRY_AFTER_MS, undefined, { signal: round }).catch(() => {})
    }
  }
}

async function reactUntil(deps: RunnerDeps, process: Process, held: ReadonlySet<number>, round: AbortSignal) {
  const view = processView(process)
  const checkpoints = await deps.views.checkpoints(view)
  const positionIn = (partition: number) => checkpoints.get(partition)?.position ?? ''
  const isDue = ({ type, position, meta }: StoredEvent) => {
    const partition = partitionOf(meta.game)
    return process.takes.includes(type) && held.has(partition) && position > positionIn(partition)
  }
  let unsaved = 0
  for await (const events of deps.log.subscribe(earliest([...held].map(positionIn)), BATCH, round)) {
    const due = events.filter(isDue)
    for (const event of due) await process.react(event, round)
    if (round.aborted) return
    unsaved += events.length
    if (due.length === 0 && unsaved < SAVE_EVERY) continue
    const { position, id } = events.at(-1) as StoredEvent
    const reached = new Map<number, Checkpoint>([...held].map((partition) => [partition, { position, eventId: id }]))
    await deps.views.commit([{ view, writes: [], checkpoints: reached }])
    unsaved = 0
  }
}

/** Null: from the beginning. */
function earliest(positions: readonly (Position | '')[]): Position | null {
  const first = positions.reduce((least, one) => (one < least ? one : least), positions[0] ?? '')
  return first === '' ? null : first
}
