// Histories on in-memory stores under virtual time: the seed decides everything, including the order of single steps.

import { Refusal } from '../../../domain/decider.ts'
import type { AllRankings } from '../../../stores/contract/rankings.ts'
import type { Transient, Windows } from '../../../stores/contract/transient.ts'
import { createRates, createTransient } from '../../../stores/embedded/transient.ts'
import { createMemoryLog } from '../../memory/log.ts'
import { ownsAll } from '../../memory/ownership.ts'
import { createSharedRankings } from '../../memory/rankings.ts'
import { createMemoryVault } from '../../memory/vault.ts'
import { createMemoryViews } from '../../memory/views.ts'
import { Random } from '../../random.ts'
import { type History, historyIn, type Setting } from '../history.ts'
import { createBlobs } from './blobs.ts'
import { createFillPermits } from './fill-permits.ts'
import { createMasters } from './masters.ts'
import { isLate, isPlanted } from './planted.ts'
import { isRebuilt } from './rebuilding.ts'
import { createRewindableViews } from './rewindable-views.ts'
import { Scheduler } from './scheduler.ts'
import { isVerified } from './verifying.ts'
import type { NodeStores, World } from './world.ts'

/** How often a history is long, by its own chance: in long ones more commands act on earlier results. */
const LONG = 0.05
const LONG_CALLS = 100
const LONG_SEED = 0x10e6

export const isLong = (seed: number): boolean => new Random(seed ^ LONG_SEED).chance(LONG)

/** The seed decides the number of nodes, the behaviour of the stores and the rate of faults. */
export function newHistory(seed: number, kind: Pick<Setting, 'setsClocks' | 'hasSeasons'> = {}): History {
  const random = new Random(seed)
  const scheduler = new Scheduler(random)
  const harshness = random.pick([0, 0.5, 1, 1])
  const isShared = random.chance(0.5)
  const defects: string[] = []
  const log = createMemoryLog()
  const views = createRewindableViews({ oneWriter: !isShared, movedBack: (text) => void defects.push(text) })
  const shared = isShared ? createSharedRankings() : null
  const permits = createFillPermits(scheduler)
  const stores = { log, history: log, vault: createMemoryVault(), views }
  const voidedMs: number[] = []
  let ofAll = shortLived()
  let isFirst = true
  const open = async (): Promise<NodeStores> => {
    const rankings: AllRankings | null = shared === null ? null : permits.taking(shared.handle())
    // In-process stores end with their process.
    if (shared === null && !isFirst) voidedMs.push(scheduler.nowMs)
    isFirst = false
    const kept = shared === null ? shortLived() : emptiable(() => ofAll)
    // Both nodes apply all partitions, as nodes briefly do that have not yet discovered each other.
    return { ...stores, ...kept, rankings, join: async () => ownsAll }
  }
  const empty = () => {
    shared?.lose()
    ofAll = shortLived()
    voidedMs.push(scheduler.nowMs)
  }
  const world: World = {
    ...stores,
    rankings: shared?.handle() ?? null,
    scheduler,
    rates: {
      slow: 0.04 * harshness,
      append: 0.12 * harshness,
      cut: 0.05 * harshness,
      commit: 0.15 * harshness,
      rankings: 0.05 * harshness,
    },
    partsOfCommit: shared === null ? 1 : Number.POSITIVE_INFINITY,
    masters: createMasters(),
    blobs: createBlobs(),
    mailed: [],
    voidedMs,
    rebuilds: isRebuilt(seed),
    verifies: isVerified(seed),
    applying: new Set(),
    faults: shared === null ? [] : [{ name: 'what is shared in memory is lost', happen: empty }],
    openBeside: async () => createMemoryViews(),
    open,
    async setBack() {
      const [to, of] = [random.below(views.commits() + 1), views.commits()]
      await views.rewind(to)
      return `${to} of ${of} commits`
    },
    heal: async () => {},
    // Consequences of planted faults, also those that the command layer reports, such as a log that did not answer in
    // time. Virtual time jumps to the next timer, so a process may time out between two steps of the views. It retries,
    // and one that never succeeded would keep the history from settling.
    isPlanted: (error): error is Error =>
      isPlanted(error) || (error instanceof Refusal && error.kind === 'unavailable') || isLate(error),
    defect: (text) => void defects.push(text),
    close: async () => {},
  }
  scheduler.note(`seed ${seed}: ${isShared ? 'two nodes, shared stores' : 'one node'}, harshness ${harshness}`)
  const nodes = isShared ? 2 : 1
  const maxCalls = isLong(seed) ? { maxCalls: LONG_CALLS } : {}
  return historyIn(world, { nodes, isHarsh: harshness > 0, defects, ...kind, ...maxCalls })
}

/** The current content, however often it was cleared. */
function emptiable(now: () => ReturnType<typeof shortLived>): ReturnType<typeof shortLived> {
  return {
    transient: {
      put: (...args) => now().transient.put(...args),
      take: (...args) => now().transient.take(...args),
      guess: (...args) => now().transient.guess(...args),
      claim: (...args) => now().transient.claim(...args),
      release: (...args) => now().transient.release(...args),
      lock: (...args) => now().transient.lock(...args),
      unlock: (...args) => now().transient.unlock(...args),
    },
    windows: {
      enter: (...args) => now().windows.enter(...args),
      leave: (...args) => now().windows.leave(...args),
    },
  }
}

/** The short-lived store. */
function shortLived(): { readonly transient: Transient; readonly windows: Windows } {
  return { transient: createTransient(), windows: createRates() }
}
