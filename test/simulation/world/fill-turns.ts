// Whose turn it is to fill rankings that nodes share, where no leases say so: one node at a time, but for one that does not
// know that it no longer may.

import type { AllRankings, Rankings } from '../../../stores/contract/rankings.ts'
import type { Pace } from './pace.ts'

const FILLS_FOR_MS = 2_000
const FILLS_UNASKED = 0.01
const ASKS_AGAIN_MS = 100

interface FillTurns {
  /** The rankings for one more node, which finds them not filled only when it is its turn. */
  taking(rankings: AllRankings): AllRankings
}

export function createFillTurns(scheduler: Pace): FillTurns {
  let turn = { of: {}, untilMs: 0 }
  const asking = new Map<object, Promise<void>>()

  function takes(node: object): boolean {
    const { nowMs, random } = scheduler
    const isFree = turn.of === node || turn.untilMs < nowMs
    if (isFree) turn = { of: node, untilMs: nowMs + FILLS_FOR_MS }
    return isFree || random.chance(FILLS_UNASKED)
  }

  /** One timer for all that a node waits for: under virtual time timers fire so seldom that one for each would take most of a history. */
  function asksAgain(node: object): Promise<void> {
    const waiting = asking.get(node)
    if (waiting !== undefined) return waiting
    const wakes = new Promise<void>((wake) => {
      setTimeout(() => {
        asking.delete(node)
        wake()
      }, ASKS_AGAIN_MS)
    })
    asking.set(node, wakes)
    return wakes
  }

  const ofNode = (node: object, inner: Rankings): Rankings => ({
    ...inner,
    isFilled: async (name) => {
      for (;;) {
        if (await inner.isFilled(name)) return true
        if (takes(node)) return false
        await asksAgain(node)
      }
    },
    // Nothing looks now and then under virtual time: what was lost is noticed by the next put, or the next start.
    isCurrent: async () => true,
    beginFill: async (name) => {
      takes(node)
      return inner.beginFill(name)
    },
  })

  return { taking: (all) => ({ ...all, of: (view, partition) => ofNode(all, all.of(view, partition)) }) }
}
