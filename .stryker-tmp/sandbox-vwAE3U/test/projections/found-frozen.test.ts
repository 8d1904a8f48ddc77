// A projector freezes while it applies a submission, and reads the player’s visibility while another one applies the
// end of their ban in parts. It writes late and stops: none of its changes may remain in a ranking.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { StoredEvent } from '../../domain/event.ts'
import { createApplier } from '../../projections/apply.ts'
import { entries } from '../../projections/entries.ts'
import { write } from '../../projections/write.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import {
  AT_ONCE,
  all,
  BANNED,
  BEFORE,
  begun,
  breaking,
  Crash,
  freshOn,
  score,
  type Told,
  tell,
  UNBANNED,
} from './found-world.ts'
import { startViews } from './started.ts'

/** The first is new to a reader that has cached the other player's name: so entries are read before the name of the second. */
const LATE = [score('b1', 'p2', 'another', 6), score('b3', 'p1', 'better', 6)]

/** Both of an entry that is hidden then: it is bettered, or it goes. */
const THEN: readonly (readonly [what: string, then: Told])[] = [
  ['is bettered', score('b3', 'p1', 'best', 7)],
  ['is deleted', ['lb_b3-p1', 'ScoreDeleted', { id: 'p1-c', upTo: 2 }, { board: 'b3', player: 'p1' }]],
]

/** Whether the other one broke off at its `at`-th step. */
async function breaksOffAt(at: number, then: Told): Promise<boolean> {
  const stores = freshOn(createMemoryLog())
  await tell(stores.log, [...BEFORE, BANNED])
  await startViews(begun(stores, AT_ONCE, [entries]))
  const known = await stores.log.readAll(null, 1_000)
  await tell(stores.log, [...LATE, then, UNBANNED])
  const late = (await stores.log.readAll(known.at(-1)?.position ?? null, 1_000)).slice(0, LATE.length)

  let isBroken = false
  let isReached = false
  const views: Views = {
    ...stores.views,
    get: async (view, collection, ids) => {
      if (collection === 'names' && ids.includes('p1')) {
        isReached = true
        isBroken = await breaksOff()
      }
      return stores.views.get(view, collection, ids)
    },
  }
  const breaksOff = async (): Promise<boolean> => {
    try {
      await startViews(begun(breaking(stores, at, true).stores, AT_ONCE, [entries]))
      return false
    } catch (why) {
      if (why instanceof Crash) return true
      throw why
    }
  }
  const { deps } = begun({ ...stores, views }, AT_ONCE, [entries])
  const frozen = createApplier(entries, deps)
  const isOfOther = ({ type, meta }: StoredEvent) => type === 'ScoreSubmitted' && meta.player === 'p2'
  await frozen.apply(known.filter(isOfOther))
  await frozen.apply(late)
  await write(deps, frozen.take(new Map()))
  expect(isReached).to.equal(true)

  await startViews(begun(stores, AT_ONCE, [entries]))
  const whole = freshOn(stores.log)
  await startViews(begun(whole, 1_000, [entries]))
  expect(await all(stores, [entries]), `broken off at step ${at}`).to.deep.equal(await all(whole, [entries]))
  return isBroken
}

describe('a projector frozen before it read whether a player is shown', () => {
  for (const [what, then] of THEN) {
    it(`leaves no member of an entry that ${what}, wherever another projector is in applying the end of the ban`, async () => {
      let at = 1
      while (await breaksOffAt(at, then)) at++
      expect(at).to.be.above(8)
    })
  }
})
