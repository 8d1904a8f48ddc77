// Verification during a history: views are built a second time and compared with the live ones at a position that moves
// along. No run may find a difference, whatever crashes, is rebuilt or switched meanwhile.

import { viewsOver } from '../../../projections/all.ts'
import { history as historyView } from '../../../projections/history.ts'
import { viewKey } from '../../../projections/projection.ts'
import { verify } from '../../../projections/verify/verify.ts'
import { historyInViews } from '../../../queries/history.ts'
import { Random } from '../../random.ts'
import type { Cluster } from './cluster.ts'
import type { Running } from './node.ts'
import type { World } from './world.ts'

/** How often a history has verifications. */
const VERIFIES = 0.3
const VERIFIES_SEED = 0xbe51de
const TIMES_MAX = 3
const STEPS_BETWEEN = 300

/** Prefix of the trace line that reports the outcome of a verification. */
const VERIFIED = 'a verification found'

/** Drawn separately, so that it does not change the rest of the history. */
export const isVerified = (seed: number): boolean => new Random(seed ^ VERIFIES_SEED).chance(VERIFIES)

export async function verifyMeanwhile(world: World, cluster: Cluster, isOver: () => boolean): Promise<void> {
  const { random } = world.scheduler
  for (let times = 1 + random.below(TIMES_MAX); times > 0 && !isOver(); times--) {
    const steps = random.below(STEPS_BETWEEN)
    for (let step = 0; step < steps; step++) await world.scheduler.step('')
    const node = await cluster.any()
    await Promise.race([verifyOn(world, node), node.incarnation.death])
  }
}

async function verifyOn(world: World, { name, incarnation, commands, queries }: Running): Promise<void> {
  const { scheduler } = world
  const beside = await world.openBeside()
  const history = world.history === null ? historyInViews(beside, viewKey(historyView)) : queries.history
  const { views: live, rankings } = queries
  const deps = { log: commands.log, live, rankings, history, scratch: beside, projections: viewsOver(world) }
  scheduler.note(`${name}: a verification begins`)
  try {
    const { differences, behind } = await verify(deps, () => {}, incarnation.signal)
    // Lost rankings, and rankings that are being filled, are reported as such; they cannot be compared.
    const wrong = differences.filter(({ rebuilt }) => !rebuilt?.startsWith('not filled'))
    scheduler.note(`${VERIFIED} ${wrong.length} differences${behind ? ', where the views stood still' : ''}`)
    // After an interrupted write some documents may be ahead of their checkpoint: `behind` reports that.
    if (wrong.length > 0 && !behind)
      world.defect(`${name}: ${VERIFIED} differences: ${JSON.stringify(wrong.slice(0, 3))}`)
  } catch (error) {
    if (!incarnation.alive) return
    if (!world.isPlanted(error))
      world.defect(`${name} verifies nothing: ${error instanceof Error ? error.stack : error}`)
    else scheduler.note(`${name}: a verification ends in vain: ${error.message}`)
  } finally {
    await beside.close()
  }
}
