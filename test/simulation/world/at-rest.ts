// Waits until a real-time history has settled: no work is pending, and every node has applied the whole log.

import type { StoredEvent } from '../../../domain/event.ts'
import { partitionOf } from '../../../domain/partition.ts'
import { viewsOver } from '../../../projections/all.ts'
import { createBuildPointer } from '../../../projections/builds/pointer.ts'
import { projectionsInStep } from '../../../projections/builds/state.ts'
import { untilFilled } from '../../../projections/fill-rankings.ts'
import { untilBuilt } from '../../../projections/start.ts'
import { reactionView } from '../../../reactions/react.ts'
import { UNCLAIMED_KEPT_MS } from '../../../reactions/sweep-credentials.ts'
import { pause } from '../../until.ts'
import type { History } from '../history.ts'

/** A generous limit, because the machine may be busy. */
const REST_MS = 120_000
const CHECK_EVERY_MS = 25

export async function comeToRest(history: History): Promise<void> {
  await untilHandled(history)
  const giveUp = AbortSignal.timeout(REST_MS)
  const { world, cluster } = history
  // Rankings must be filled first: from then on writes reach complete ones.
  const applied = projectionsInStep(await createBuildPointer(world.views).read(), viewsOver(world))
  if (world.rankings !== null) await untilFilled(world.rankings, applied, giveUp)
  if (giveUp.aborted) throw new Error(`the rankings were not filled in ${REST_MS} ms`)
  for (const { name, progress } of cluster.nodes) {
    await untilBuilt(world.log, progress, giveUp)
    if (giveUp.aborted) throw new Error(`${name} has not heard in ${REST_MS} ms what was recorded last`)
  }
}

/** Waits until every reaction has handled the whole log. */
async function untilHandled(history: History): Promise<void> {
  const { scheduler } = history.world
  const startedMs = performance.now()
  for (;;) {
    const lookedMs = performance.now()
    const due = await dueIn(history)
    if (due.length === 0) return
    if (performance.now() - startedMs > REST_MS) {
      const events = due.map(({ reaction, event }) => `${reaction}: ${event.type} at ${event.position}`)
      throw new Error(`after ${REST_MS} ms reactions have not handled ${events.join(', ')}`)
    }
    // Skip the hours that some reactions wait after an event.
    const lastMs = Math.max(...due.map(({ event }) => Date.parse(event.meta.time)))
    const aheadMs = lastMs + UNCLAIMED_KEPT_MS - scheduler.nowMs
    if (aheadMs > 0) scheduler.leap(aheadMs)
    // A look reads the whole log in the process of the reactions: they get at least as much time.
    await pause(Math.max(CHECK_EVERY_MS, performance.now() - lookedMs))
  }
}

interface Due {
  readonly reaction: string
  readonly event: StoredEvent
}

/** The events that reactions still have to handle. */
async function dueIn({ world, cluster }: History): Promise<Due[]> {
  const reached = await Promise.all(
    (cluster.nodes[0]?.reactions ?? []).map(async (reaction) => {
      return { reaction, checkpoints: await world.views.checkpoints(reactionView(reaction)) }
    }),
  )
  // Read after the checkpoints: a reaction records its effects before it advances its checkpoint.
  const events = await world.log.readAll(null, Number.MAX_SAFE_INTEGER)
  return reached.flatMap(({ reaction: { name, takes }, checkpoints }) =>
    events
      .filter(({ type, position, meta }) => {
        return takes.includes(type) && position > (checkpoints.get(partitionOf(meta.game))?.position ?? '')
      })
      .map((event) => ({ reaction: name, event })),
  )
}
