// One simulated history: callers send commands, repeat them and read; nodes crash and restart; read models are restored
// to older copies. It records each request and its outcome for the oracle.

import type { Position } from '../../domain/event.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import { Caller } from './callers/caller.ts'
import type { Call, Known, Ran } from './callers/command.ts'
import type { Theme } from './callers/commands.ts'
import type { Model } from './model/model.ts'
import { Cluster } from './world/cluster.ts'
import { Rebuilding } from './world/rebuilding.ts'
import { verifyMeanwhile } from './world/verifying.ts'
import type { World } from './world/world.ts'

export type Outcome =
  | { readonly kind: 'answered'; readonly ran: Ran }
  | { readonly kind: 'refused'; readonly code: string }
  /** The node died during the call, or reported that the outcome is unknown. */
  | { readonly kind: 'unknown' }

/** Log positions: the one that a call had to see when it began, and the head when it ended. Null: none. */
export interface Span {
  readonly from: Position | null
  readonly to: Position | null
}

export interface Attempt extends Span {
  readonly outcome: Outcome
  /** Steps of the history at which it began and ended. */
  readonly began: number
  readonly ended: number
  /** The head of the log when it began. */
  readonly head: Position | null
  /** Unix milliseconds: by the clock of the node that handled it, and by a clock without skew. */
  readonly nowMs: number
  readonly beganMs: number
  readonly endedMs: number
}

/** One call, sent once or more under the same Idempotency-Key. */
export interface Sending {
  readonly call: Call
  readonly command: string
  readonly keyed: boolean
  readonly attempts: Attempt[]
}

/** A page of a board as read, in rank order. */
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

/** A read, and a condition that must have held in some state between its beginning and its end. */
export interface ConditionCheck extends Span {
  readonly what: string
  holds(model: Model): boolean
}

export interface History {
  readonly world: World
  readonly cluster: Cluster
  readonly sendings: Sending[]
  readonly reads: PageRead[]
  readonly conditionChecks: ConditionCheck[]
  readonly defects: string[]
  /** Whether nodes crash and stores fail. */
  readonly isHarsh: boolean
  /** Whether nearly all commands are score submissions of a few players. */
  readonly isDuel: boolean
  /** What most commands are about, in one game; null: everything. */
  readonly theme: Exclude<Theme, 'games'> | null
  /** Maximum calls per caller. */
  readonly maxCalls: number
  /**
   * Whether clocks are set forward and back. What lasts for minutes, and boards as of an instant, are not judged then.
   */
  readonly setsClocks: boolean
  /** Whether leaderboards have seasons; most commands are about leaderboards then. */
  readonly hasSeasons: boolean
}

const CALLERS_MAX = 5
const CALLS_MAX = 30
const THEMES = ['boards', 'people', 'people', 'files', 'files', null] as const

export interface Setting {
  readonly nodes: 1 | 2
  /** Whether nodes crash and stores fail. */
  readonly isHarsh: boolean
  /** The list to which the world adds defects. */
  readonly defects: string[]
  readonly maxCalls?: number
  readonly setsClocks?: boolean
  readonly hasSeasons?: boolean
}

/** A history that has not been played yet. */
export function historyIn(world: World, setting: Setting): History {
  const { nodes, isHarsh, defects, maxCalls = CALLS_MAX, setsClocks = false, hasSeasons = false } = setting
  const cluster = new Cluster(world, ['A', 'B'].slice(0, nodes), isHarsh)
  const { random } = world.scheduler
  const isDuel = random.chance(0.4)
  const drawn = random.pick(THEMES)
  const theme = hasSeasons ? 'boards' : drawn
  const noted = { sendings: [], reads: [], conditionChecks: [], defects }
  return { world, cluster, ...noted, isHarsh, isDuel, theme, maxCalls, setsClocks, hasSeasons }
}

/** Plays it until every caller has finished, faults have ended and every node has applied the whole log. */
export async function playHistory(history: History): Promise<void> {
  const { world, cluster } = history
  const { random } = world.scheduler
  await world.scheduler.play(async () => {
    await cluster.startAll()
    const known = nothingKnown(history)
    const callers = Array.from({ length: 2 + random.below(CALLERS_MAX - 1) }, (_, n) => new Caller(history, known, n))
    const rebuilding = world.rebuilds ? new Rebuilding(world, cluster) : null
    const living = Promise.all(callers.map((caller) => caller.live()))
    let isOver = false
    const finished = living.finally(() => {
      isOver = true
    })
    const verifying = world.verifies ? verifyMeanwhile(world, cluster, () => isOver) : null
    const settingClocks = history.setsClocks ? cluster.setClocks(() => isOver) : null
    await Promise.all([finished, cluster.suffer(), rebuilding?.goOn(() => isOver), verifying, settingClocks])
    await cluster.heal()
    await cluster.startAll()
    await rebuilding?.comeToRest()
  })
}

function nothingKnown({ world: { mailed, scheduler }, hasSeasons }: History): Known {
  const people = { players: [], sessions: [], bearers: [], guestTokens: [], tickets: [], mailed }
  return {
    now: () => scheduler.nowMs,
    hasSeasons,
    ...people,
    games: [],
    keys: [],
    boards: [],
    entries: [],
    buckets: [],
    uploads: [],
    sent: new Set(),
    completed: new Set(),
    downloads: [],
  }
}
