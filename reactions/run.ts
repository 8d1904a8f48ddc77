// Runs all reactions of a node on one shared log subscription, for the partitions that the node owns. Each reaction
// has its own pace (react.ts) and none blocks another (inbox.ts).

import { setMaxListeners } from 'node:events'
import type { Position } from '../domain/event.ts'
import { aborted } from '../runtime/yield-to-event-loop.ts'
import type { PartitionOwnership } from '../stores/contract/leases.ts'
import { alignInboxes, Inbox } from './inbox.ts'
import { BATCH, type ReactDeps, react, reactionView } from './react.ts'
import type { Reaction } from './reaction.ts'
import { untilDone } from './wait.ts'

/** Runs the reactions until the signal aborts. Failures are retried and do not delay other reactions. */
export async function runReactions(
  deps: ReactDeps,
  reactions: readonly Reaction[],
  ownership: PartitionOwnership,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { partitions, changed } = ownership.now()
    const runSignal = AbortSignal.any([signal, changed])
    // Each reaction adds a listener, and there are more of them than Node's warning threshold.
    setMaxListeners(0, runSignal)
    if (partitions.size === 0) await aborted(runSignal)
    else await reactTogether(deps, reactions, partitions, runSignal)
  }
}

async function reactTogether(
  deps: ReactDeps,
  reactions: readonly Reaction[],
  owned: ReadonlySet<number>,
  runSignal: AbortSignal,
): Promise<void> {
  const inboxes = await untilDone(deps, 'all', runSignal, () =>
    Promise.all(
      reactions.map(async (reaction) => {
        const view = reactionView(reaction)
        await deps.views.prepare({ key: view, collections: [] })
        return new Inbox(reaction.takes, await deps.views.checkpoints(view), owned)
      }),
    ),
  )
  if (inboxes === null) return
  const start = alignInboxes(inboxes)
  await Promise.all([
    readFor(deps, inboxes, start, runSignal),
    ...reactions.map((reaction, at) => react(deps, reaction, inboxes[at] as Inbox, runSignal)),
  ])
}

async function readFor(
  deps: ReactDeps,
  inboxes: readonly Inbox[],
  start: Position | null,
  runSignal: AbortSignal,
): Promise<void> {
  let after = start
  await untilDone(deps, 'all', runSignal, async () => {
    for await (const events of deps.log.subscribe(after, BATCH, runSignal)) {
      for (const inbox of inboxes) inbox.offer(events)
      after = events.at(-1)?.position ?? after
    }
  })
}
