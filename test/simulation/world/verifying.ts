// Verifications while all else goes on: views are built once more beside the live ones, and compared at one position that moves
// along. Where nothing is wrong none may find a difference, whatever crashes, is rebuilt or switched meanwhile.

import { viewsOver } from '../../../projections/all.ts'
import { history as historyView } from '../../../projections/history.ts'
import { viewKey } from '../../../projections/projection.ts'
import { verify } from '../../../projections/verify/verify.ts'
import { historyInViews } from '../../../queries/history.ts'
import { Random } from '../../random.ts'
import type { Cluster } from './cluster.ts'
import type { Running } from './node.ts'
import type { World } from './world.ts'

/** How often there are any in a history. */
const VERIFIES = 0.3
const VERIFIES_SEED = 0xbe51de
const TIMES_MOST = 3
const TURNS_BETWEEN = 300

/** What a verification came to is noted after these words. */
const VERIFIED = 'a verification found'

/** Of a chance of its own: what else a history is follows from nothing else than before. */
export const isVerified = (seed: number): boolean => new Random(seed ^ VERIFIES_SEED).chance(VERIFIES)

export async function verifyMeanwhile(world: World, cluster: Cluster, isOver: () => boolean): Promise<void> {
  const { random } = world.scheduler
  for (let times = 1 + random.below(TIMES_MOST); times > 0 && !isOver(); times--) {
    const turns = random.below(TURNS_BETWEEN)
    for (let turn = 0; turn < turns; turn++) await world.scheduler.turn('')
    const node = await cluster.any()
    await Promise.race([verifyOn(world, node), node.life.death])
  }
}

async function verifyOn(world: World, { name, life, commands, queries }: Running): Promise<void> {
  const { scheduler } = world
  const beside = await world.openBeside()
  const history = world.history === null ? historyInViews(beside, viewKey(historyView)) : queries.history
  const { views: live, rankings } = queries
  const deps = { log: commands.log, live, rankings, history, scratch: beside, projections: viewsOver(world) }
  scheduler.note(`${name}: a verification begins`)
  try {
    const { differences, behind } = await verify(deps, () => {}, life.signal)
    // Rankings lost and refilled just then are reported; no more can be said of them.
    const wrong = differences.filter(({ rebuilt }) => !rebuilt?.startsWith('not filled'))
    scheduler.note(`${VERIFIED} ${wrong.length} differences${behind ? ', where the views stood still' : ''}`)
    // Where they stand still, a write that broke off may have left some documents further than others: `behind` says as much.
    if (wrong.length > 0 && !behind)
      world.defect(`${name}: ${VERIFIED} differences: ${JSON.stringify(wrong.slice(0, 3))}`)
  } catch (why) {
    if (!life.alive) return
    if (!world.isPlanted(why)) world.defect(`${name} verifies nothing: ${why instanceof Error ? why.stack : why}`)
    else scheduler.note(`${name}: a verification ends in vain: ${why.message}`)
  } finally {
    await beside.close()
  }
}
