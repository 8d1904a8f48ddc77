// One simulated history: callers that send commands, repeat them and read; nodes that crash and come back; read models that
// are set back. What was sent, answered, refused or left unknown is written down for the oracle.

import type { ScoresQuery } from '../../queries/scores/list.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createSharedRankings } from '../memory/rankings.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { Caller } from './caller.ts'
import { Cluster } from './cluster.ts'
import type { Call, Known, Ran } from './command.ts'
import type { World } from './node.ts'
import { Random } from './random.ts'
import { createRewindableViews } from './rewindable-views.ts'
import { Scheduler } from './scheduler.ts'

export type Outcome =
  | { readonly kind: 'answered'; readonly ran: Ran }
  | { readonly kind: 'refused'; readonly code: string }
  /** The node died under it, or could not tell what became of it. */
  | { readonly kind: 'unknown' }

/** How many events the log held when something began and when it ended. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface Attempt extends Span {
  readonly outcome: Outcome
  /** Steps of the history at which it began and ended. */
  readonly began: number
  readonly ended: number
}

/** One call, sent once or more: with an Idempotency-Key it is one and the same, however often. */
export interface Sending {
  readonly call: Call
  readonly command: string
  readonly keyed: boolean
  readonly attempts: Attempt[]
}

/** A page of a board as it was read, in rank order. */
export interface PageRead extends Span {
  readonly board: string
  readonly query: Pick<ScoresQuery, 'order' | 'offset' | 'limit' | 'around'>
  readonly rows: readonly {
    readonly id: string
    readonly player: string
    readonly score: string
    readonly rank: number | null
  }[]
}

export interface History {
  readonly world: World
  readonly cluster: Cluster
  readonly sendings: Sending[]
  readonly reads: PageRead[]
  readonly defects: string[]
  /** Nearly all of it is a few players outdoing each other. */
  readonly isDuel: boolean
}

const CALLERS_MAX = 5

/** Everything about a history follows from its seed: how many nodes, how the stores behave, how much goes wrong. */
export function newHistory(seed: number): History {
  const random = new Random(seed)
  const scheduler = new Scheduler(random)
  const harshness = random.pick([0, 0.5, 1, 1])
  const isShared = random.chance(0.5)
  const defects: string[] = []
  const world: World = {
    scheduler,
    log: createMemoryLog(),
    vault: createMemoryVault(),
    views: createRewindableViews({ oneWriter: !isShared, movedBack: (text) => void defects.push(text) }),
    rankings: isShared ? createSharedRankings() : null,
    rates: {
      slow: 0.04 * harshness,
      append: 0.12 * harshness,
      cut: 0.05 * harshness,
      commit: 0.15 * harshness,
      rankings: 0.05 * harshness,
    },
    defect: (text) => void defects.push(text),
  }
  scheduler.note(`seed ${seed}: ${isShared ? 'two nodes, shared stores' : 'one node'}, harshness ${harshness}`)
  const cluster = new Cluster(world, isShared ? ['A', 'B'] : ['A'], harshness)
  return { world, cluster, sendings: [], reads: [], defects, isDuel: random.chance(0.4) }
}

/** Plays it to the point where every caller has finished, every fault is over and every node has heard everything. */
export async function playHistory(history: History): Promise<void> {
  const { world, cluster } = history
  const { random } = world.scheduler
  await world.scheduler.play(async () => {
    await cluster.startAll()
    const known: Known = { games: [], keys: [], boards: [], players: [], entries: [], sessions: [] }
    const callers = Array.from({ length: 2 + random.below(CALLERS_MAX - 1) }, (_, n) => new Caller(history, known, n))
    await Promise.all([...callers.map((caller) => caller.live()), cluster.sufferCrashes(), cluster.sufferLosses()])
    cluster.heal()
    await cluster.startAll()
  })
}
