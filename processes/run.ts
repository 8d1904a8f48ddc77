// The runner of processes: one reading of the log for all of them, from where the hindmost left off, in the partitions that
// this node holds; each reacts at a pace of its own. Checkpoints are saved after the reaction, so a crash between means that
// an event comes twice, never that it is missed.

import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { StoredEvent } from '../domain/event.ts'
import { aborted, type Holding } from '../stores/contract/holding.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Views } from '../stores/contract/views.ts'
import { earliest, Inbox } from './inbox.ts'
import type { Process } from './process.ts'

/** So few that reading a long history leaves the event loop to others every few milliseconds. */
const BATCH = 500
/** Where nothing is to be reacted to, the checkpoints move along after this many events. */
const SAVE_EVERY = 10_000
/** Where much is, after this many reactions. */
const REACTIONS_UNSAVED = 100
const RETRY_AFTER_MS = 500

interface RunnerDeps {
  readonly log: Log
  readonly views: Views
  /** `process`: its name, or `all` where the log cannot be followed or no checkpoints be read. */
  failed(process: string, why: unknown): void
}

export const processView = (process: Process): string => `process_${process.name}@1`

/** Runs processes until the signal aborts. What fails is tried again, and keeps no other process waiting. */
export async function runProcesses(
  deps: RunnerDeps,
  processes: readonly Process[],
  holding: Holding,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { partitions, changed } = holding.now()
    const round = AbortSignal.any([signal, changed])
    // Listened to by each process as it waits, and there are more of them than Node takes for well.
    setMaxListeners(0, round)
    if (partitions.size === 0) await aborted(round)
    else await reactTogether(deps, processes, partitions, round)
  }
}

async function reactTogether(
  deps: RunnerDeps,
  processes: readonly Process[],
  held: ReadonlySet<number>,
  round: AbortSignal,
): Promise<void> {
  const inboxes = await untilDone(deps, 'all', round, () =>
    Promise.all(
      processes.map(async (process) => {
        const view = processView(process)
        await deps.views.prepare({ key: view, collections: [] })
        return new Inbox(process.takes, await deps.views.checkpoints(view), held)
      }),
    ),
  )
  if (inboxes === null) return
  await Promise.all([
    readFor(deps, inboxes, round),
    ...processes.map((process, at) => reactUntil(deps, process, inboxes[at] as Inbox, round)),
  ])
}

async function readFor(deps: RunnerDeps, inboxes: readonly Inbox[], round: AbortSignal): Promise<void> {
  let after = earliest(inboxes.map(({ begins }) => begins))
  await untilDone(deps, 'all', round, async () => {
    for await (const events of deps.log.subscribe(after, BATCH, round)) {
      for (const inbox of inboxes) inbox.offer(events)
      after = events.at(-1)?.position ?? after
    }
  })
}

async function reactUntil(deps: RunnerDeps, process: Process, inbox: Inbox, round: AbortSignal): Promise<void> {
  let reactions = 0
  const save = async (last: StoredEvent | null) => {
    const checkpoints = inbox.checkpoints(last)
    const { unsaved } = inbox
    if (checkpoints !== null) await deps.views.commit([{ view: processView(process), writes: [], checkpoints }])
    inbox.unsaved -= unsaved
    reactions = 0
  }
  const step = async () => {
    const [event] = inbox.waiting
    if (event !== undefined) {
      await process.react(event, round)
      // It may have given up because of it.
      if (round.aborted) return
      inbox.waiting.shift()
      reactions++
      if (reactions >= REACTIONS_UNSAVED) await save(event)
    } else if (reactions > 0 || inbox.unsaved >= SAVE_EVERY) await save(null)
    else if (inbox.missed) inbox.take(await deps.log.readAll(inbox.reached?.position ?? inbox.begins, BATCH))
    else await inbox.more(round)
  }
  while (!round.aborted) await untilDone(deps, process.name, round, step)
}

/** Tries until it succeeds; null where the signal came first. */
async function untilDone<Made>(
  deps: RunnerDeps,
  process: string,
  round: AbortSignal,
  work: () => Promise<Made>,
): Promise<Made | null> {
  while (!round.aborted) {
    try {
      return await work()
    } catch (why) {
      deps.failed(process, why)
      await setTimeout(RETRY_AFTER_MS, undefined, { signal: round }).catch(() => {})
    }
  }
  return null
}
