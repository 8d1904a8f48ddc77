// The runner of processes: one reading of the log for all of them, from where the foremost left off, in the partitions that
// this node holds. Each reacts to what it takes at a pace of its own (react.ts), and none waits for another (inbox.ts).

import { setMaxListeners } from 'node:events'
import type { Position } from '../domain/event.ts'
import { aborted } from '../scheduling/aborted.ts'
import type { Holding } from '../stores/contract/holding.ts'
import { Inbox, meet } from './inbox.ts'
import type { Process } from './process.ts'
import { BATCH, processView, type ReactDeps, reactUntil } from './react.ts'
import { untilDone } from './until-done.ts'

/** Runs processes until the signal aborts. What fails is tried again, and keeps no other process waiting. */
export async function runProcesses(
  deps: ReactDeps,
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
  deps: ReactDeps,
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
  const begin = meet(inboxes)
  await Promise.all([
    readFor(deps, inboxes, begin, round),
    ...processes.map((process, at) => reactUntil(deps, process, inboxes[at] as Inbox, round)),
  ])
}

async function readFor(
  deps: ReactDeps,
  inboxes: readonly Inbox[],
  begin: Position | null,
  round: AbortSignal,
): Promise<void> {
  let after = begin
  await untilDone(deps, 'all', round, async () => {
    for await (const events of deps.log.subscribe(after, BATCH, round)) {
      for (const inbox of inboxes) inbox.offer(events)
      after = events.at(-1)?.position ?? after
    }
  })
}
