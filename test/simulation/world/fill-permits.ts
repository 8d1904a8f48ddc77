// Decides which node may fill shared rankings where no leases do: one node at a time, except for a node that has not
// yet noticed that it lost its permission.

import type { AllRankings, Rankings } from '../../../stores/contract/rankings.ts'
import type { StepScheduler } from './step-scheduler.ts'

const FILLS_FOR_MS = 2_000
const FILLS_UNASKED = 0.01
const ASKS_AGAIN_MS = 100

interface FillPermits {
  /** A node's view of the rankings: it sees them as unfilled only while it may fill them. */
  taking(rankings: AllRankings): AllRankings
}

export function createFillPermits(scheduler: StepScheduler): FillPermits {
  let permit = { of: {}, untilMs: 0 }
  const asking = new Map<object, Promise<void>>()

  function takes(node: object): boolean {
    const { nowMs, random } = scheduler
    const isFree = permit.of === node || permit.untilMs < nowMs
    if (isFree) permit = { of: node, untilMs: nowMs + FILLS_FOR_MS }
    return isFree || random.chance(FILLS_UNASKED)
  }

  /**
   * One timer for all waits of a node: virtual timers fire so rarely that separate ones would take up most of a
   * history.
   */
  function waitToAskAgain(node: object): Promise<void> {
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
        await waitToAskAgain(node)
      }
    },
    // There is no periodic check under virtual time: the next put or the next start notices a loss.
    isCurrent: async () => true,
    beginFill: async (name) => {
      takes(node)
      return inner.beginFill(name)
    },
  })

  return { taking: (all) => ({ ...all, of: (view, partition) => ofNode(all, all.of(view, partition)) }) }
}
