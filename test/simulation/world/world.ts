// What outlives the nodes of a simulated history: the stores, the time, and what can go wrong with both. In memory, where
// every step is the scheduler's (in-memory.ts), or on the three servers (on-servers.ts).

import type { RunningViews } from '../../../cluster/run-views.ts'
import type { History } from '../../../stores/contract/history.ts'
import type { Holding } from '../../../stores/contract/holding.ts'
import type { Log } from '../../../stores/contract/log.ts'
import type { AllRankings } from '../../../stores/contract/rankings.ts'
import type { Transient, Windows } from '../../../stores/contract/transient.ts'
import type { VaultStore } from '../../../stores/contract/vault.ts'
import type { Views } from '../../../stores/contract/views.ts'
import type { Blobs } from './blobs.ts'
import type { Masters } from './masters.ts'
import type { Pace } from './pace.ts'
import type { FaultRates, Life } from './planted.ts'

/** As they are, sealed by nobody. */
interface WorldStores {
  readonly log: Log
  /** Null where the log has no index by game and board: then a view takes its place. */
  readonly history: History | null
  readonly vault: VaultStore
  readonly views: Views
  /** Shared by the nodes; null: each node keeps its own, and views take a commit whole, as the embedded stores do. */
  readonly rankings: AllRankings | null
}

/** The stores as one node has them. */
export interface NodeStores extends WorldStores {
  readonly transient: Transient
  readonly windows: Windows
  /** Makes it one of those who share out the partitions, for as long as it lives, with views of these keys. */
  join(life: Life, keys: readonly string[], failed: (why: unknown) => void): Promise<Holding>
}

/** Something that befalls the stores while nodes are up. */
export interface Mishap {
  readonly name: string
  happen(): unknown
}

/** A code as it was mailed. */
export interface Mailed {
  readonly email: string
  readonly code: string
  /** Unix milliseconds: when it was asked for, by the clock of the node that was asked, and when it was sent. */
  readonly askedMs: number
  readonly sentMs: number
}

/** The stores in it are those that the judge looks into. */
export interface World extends WorldStores {
  readonly scheduler: Pace
  readonly masters: Masters
  readonly blobs: Blobs
  /** Every mail, in the order of sending. */
  readonly mailed: Mailed[]
  /** When what lives for minutes was lost, in Unix milliseconds. */
  readonly voidedMs: number[]
  readonly rates: FaultRates
  /** Into how many parts a commit to the views may fall; 1: they take it whole or not at all. */
  readonly partsOfCommit: number
  readonly mishaps: readonly Mishap[]
  /** Whether whole views are rebuilt meanwhile. */
  readonly rebuilds: boolean
  /** Whether views are verified meanwhile. */
  readonly verifies: boolean
  /** What each node that lives applies to the views. */
  readonly applying: Set<RunningViews>
  /** Views that nobody else sees, for one verification. */
  openBeside(): Promise<Views>
  /** The stores as a node that starts now opens them. */
  open(): Promise<NodeStores>
  /** Sets the read models back to what they once were, while no node is up. Says to what. */
  setBack(): Promise<string>
  /** Ends what the mishaps began. */
  heal(): Promise<void>
  /** Whether what production code reports, or is rejected with, is explained by the faults of this world. */
  isPlanted(why: unknown): why is Error
  /** Told of what production code reports and no planted fault explains. */
  defect(text: string): void
  close(): Promise<void>
}
