// A projector freezes while it applies a submission. It reads the player’s visibility while another projector applies
// the end of the player’s ban in parts. Then it writes late and stops: none of its changes may remain in a ranking.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { entries } from '../../projections/entries.ts'
import { write } from '../../projections/write.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import {
  all,
  appendEvents,
  BANNED,
  BATCH_SIZE,
  BEFORE,
  Crash,
  crashingStores,
  type EventSpec,
  newStores,
  projectorOn,
  score,
  UNBANNED,
} from './queried-documents-world.ts'
import { startViews } from './start-views.ts'

/** The first event makes the projector load entries before it loads the name of the second event’s player. */
const LATE = [score('b1', 'p2', 'another', 6), score('b3', 'p1', 'better', 6)]

/** Two changes of an entry that is hidden at that time. */
const LATER_CHANGES: readonly (readonly [what: string, then: EventSpec])[] = [
  ['is improved', score('b3', 'p1', 'best', 7)],
  ['is deleted', ['lb_b3-p1', 'ScoreDeleted', { id: 'p1-c', upTo: 2 }, { board: 'b3', player: 'p1' }]],
]

/** Returns true if the other projector crashed at its `at`-th step; false if it has fewer steps. */
async function crashesAt(at: number, then: EventSpec): Promise<boolean> {
  const stores = newStores(createMemoryLog())
  await appendEvents(stores.log, [...BEFORE, BANNED])
  await startViews(projectorOn(stores, BATCH_SIZE, [entries]))
  const known = await stores.log.readAll(null, 1_000)
  await appendEvents(stores.log, [...LATE, then, UNBANNED])
  const late = (await stores.log.readAll(known.at(-1)?.position ?? null, 1_000)).slice(0, LATE.length)

  let isCrashed = false
  let isReached = false
  const views: Views = {
    ...stores.views,
    get: async (view, collection, ids) => {
      if (collection === 'names' && ids.includes('p1')) {
        isReached = true
        isCrashed = await hasCrashed()
      }
      return stores.views.get(view, collection, ids)
    },
  }
  const hasCrashed = async (): Promise<boolean> => {
    try {
      await startViews(projectorOn(crashingStores(stores, at, true).stores, BATCH_SIZE, [entries]))
      return false
    } catch (error) {
      if (error instanceof Crash) return true
      throw error
    }
  }
  const { deps } = projectorOn({ ...stores, views }, BATCH_SIZE, [entries])
  const frozen = createApplier(entries, deps)
  const isOfOther = ({ type, meta }: StoredEvent) => type === 'ScoreSubmitted' && meta.player === 'p2'
  await frozen.apply(known.filter(isOfOther))
  await frozen.apply(late)
  await write(deps, frozen.take(new Map()))
  expect(isReached).to.equal(true)

  await startViews(projectorOn(stores, BATCH_SIZE, [entries]))
  const whole = newStores(stores.log)
  await startViews(projectorOn(whole, 1_000, [entries]))
  expect(await all(stores, [entries]), `crashed at step ${at}`).to.deep.equal(await all(whole, [entries]))
  return isCrashed
}

describe('a projector that froze before it read whether a player is shown', () => {
  for (const [what, then] of LATER_CHANGES) {
    it(`leaves no sort key of an entry that ${what} in a ranking, at whichever step another projector applies the unban`, async () => {
      let at = 1
      while (await crashesAt(at, then)) at++
      expect(at).to.be.above(8)
    })
  }
})
