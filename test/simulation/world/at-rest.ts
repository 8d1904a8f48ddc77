// Waits until a real-time history has settled: no work is pending, and every node has applied the whole log.

import { partitionOf } from '../../../domain/partition.ts'
import { viewsOver } from '../../../projections/all.ts'
import { createBuildPointer } from '../../../projections/builds/pointer.ts'
import { projectionsInStep } from '../../../projections/builds/state.ts'
import { untilFilled } from '../../../projections/fill-rankings.ts'
import { untilBuilt } from '../../../projections/start.ts'
import { reactionView } from '../../../reactions/react.ts'
import { UNCLAIMED_KEPT_MS } from '../../../reactions/sweep-credentials.ts'
import type { History } from '../history.ts'

/** A generous limit, because the machine may be busy. */
const REST_MS = 120_000
const CHECK_EVERY_MS = 25

export async function comeToRest(history: History): Promise<void> {
  const { world, cluster } = history
  await until('the reactions have handled everything', async () => {
    const lastMs = await dueAt(history)
    if (lastMs === null) return true
    // Skip the hours that some reactions wait after an event.
    const aheadMs = lastMs + UNCLAIMED_KEPT_MS - world.scheduler.nowMs
    if (aheadMs > 0) world.scheduler.leap(aheadMs)
    return false
  })
  const giveUp = AbortSignal.timeout(REST_MS)
  // Rankings must be filled first: from then on writes reach complete ones.
  const applied = projectionsInStep(await createBuildPointer(world.views).read(), viewsOver(world))
  if (world.rankings !== null) await untilFilled(world.rankings, applied, giveUp)
  if (giveUp.aborted) throw new Error(`the rankings were not filled in ${REST_MS} ms`)
  for (const { name, progress } of cluster.nodes) {
    await untilBuilt(world.log, progress, giveUp)
    if (giveUp.aborted) throw new Error(`${name} has not heard in ${REST_MS} ms what was recorded last`)
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const startedMs = performance.now()
  while (!(await holds())) {
    if (performance.now() - startedMs > REST_MS) throw new Error(`not so in ${REST_MS} ms: ${what}`)
    await new Promise((wake) => setTimeout(wake, CHECK_EVERY_MS))
  }
}

/** Time of the last event that a reaction still has to handle, in Unix milliseconds; null: none. */
async function dueAt({ world, cluster }: History): Promise<number | null> {
  const reached = await Promise.all(
    (cluster.nodes[0]?.reactions ?? []).map(async (reaction) => {
      return { takes: reaction.takes, checkpoints: await world.views.checkpoints(reactionView(reaction)) }
    }),
  )
  // Read after the checkpoints: a reaction records its effects before it advances its checkpoint.
  const events = await world.log.readAll(null, Number.MAX_SAFE_INTEGER)
  const due = events.filter(({ type, position, meta }) =>
    reached.some(
      ({ takes, checkpoints }) =>
        takes.includes(type) && position > (checkpoints.get(partitionOf(meta.game))?.position ?? ''),
    ),
  )
  return due.length === 0 ? null : Math.max(...due.map(({ meta }) => Date.parse(meta.time)))
}
