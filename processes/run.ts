// The runner of processes: a subscription to the log from where each process left off. The checkpoint is saved after the
// reaction, so a crash between means that an event comes twice, never that it is missed.

import type { StoredEvent } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Views } from '../stores/contract/views.ts'
import type { Process } from './process.ts'

const BATCH = 1_000
/** Where nothing is to be reacted to, the checkpoint moves along after this many events. */
const SAVE_EVERY = 10_000
const RETRY_AFTER_MS = 500
/** One partition: processes are few and light, and one node runs each. */
const PARTITION = 0

export interface ProcessDeps {
  readonly log: Log
  readonly views: Views
  failed(process: string, why: unknown): void
}

const viewOf = (process: Process): string => `process_${process.name}@1`

/** Runs a process until the signal aborts. After a failure it goes on from its last checkpoint. */
export async function runProcess(deps: ProcessDeps, process: Process, signal: AbortSignal): Promise<void> {
  const view = viewOf(process)
  await deps.views.prepare({ key: view, collections: [] })
  while (!signal.aborted) {
    try {
      const after = (await deps.views.checkpoints(view)).get(PARTITION)?.position ?? null
      let unsaved = 0
      for await (const events of deps.log.subscribe(after, BATCH, signal)) {
        const reacted = await reactTo(process, events, signal)
        if (signal.aborted) return
        unsaved += events.length
        if (reacted === 0 && unsaved < SAVE_EVERY) continue
        await save(deps.views, view, events.at(-1) as StoredEvent)
        unsaved = 0
      }
    } catch (why) {
      deps.failed(process.name, why)
      await new Promise((wake) => setTimeout(wake, RETRY_AFTER_MS))
    }
  }
}

async function reactTo(process: Process, events: readonly StoredEvent[], signal: AbortSignal): Promise<number> {
  const taken = events.filter(({ type }) => process.takes.includes(type))
  for (const event of taken) await process.react(event, signal)
  return taken.length
}

async function save(views: Views, view: string, last: StoredEvent): Promise<void> {
  const checkpoint = { position: last.position, eventId: last.id }
  await views.commit([{ view, writes: [], checkpoints: new Map([[PARTITION, checkpoint]]) }])
}
