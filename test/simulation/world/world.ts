// What outlives the nodes of a simulated history: the stores, the time and the faults. In memory, where every step
// belongs to the scheduler (in-memory.ts), or on the three servers (on-servers.ts).

import type { RunningViews } from '../../../server/node/run-views.ts'
import type { History } from '../../../stores/contract/history.ts'
import type { PartitionOwnership } from '../../../stores/contract/leases.ts'
import type { Log } from '../../../stores/contract/log.ts'
import type { AllRankings } from '../../../stores/contract/rankings.ts'
import type { Transient, Windows } from '../../../stores/contract/transient.ts'
import type { VaultStore } from '../../../stores/contract/vault.ts'
import type { Views } from '../../../stores/contract/views.ts'
import type { Blobs } from './blobs.ts'
import type { Masters } from './masters.ts'
import type { FaultRates, Incarnation } from './planted.ts'
import type { StepScheduler } from './step-scheduler.ts'

/** The stores without encryption. */
interface WorldStores {
  readonly log: Log
  /** Null where the log has no index by game and board: a view replaces it. */
  readonly history: History | null
  readonly vault: VaultStore
  readonly views: Views
  /** Shared by the nodes; null: each node keeps its own and view commits are atomic, as with the embedded stores. */
  readonly rankings: AllRankings | null
}

/** The stores as one node has them. */
export interface NodeStores extends WorldStores {
  readonly transient: Transient
  readonly windows: Windows
  /** Makes the node an owner of partitions while it is up, with views of these keys. */
  join(incarnation: Incarnation, keys: readonly string[], failed: (error: unknown) => void): Promise<PartitionOwnership>
}

/** A fault of the stores while nodes are up. */
export interface Fault {
  readonly name: string
  happen(): unknown
}

/** A sign-in code as mailed. */
export interface Mailed {
  readonly email: string
  readonly code: string
  /** Unix milliseconds: the request by the clock of the node that handled it, and the sending. */
  readonly askedMs: number
  readonly sentMs: number
}

/** Its stores are the ones that the oracle inspects. */
export interface World extends WorldStores {
  readonly scheduler: StepScheduler
  readonly masters: Masters
  readonly blobs: Blobs
  /** All mails, in the order of sending. */
  readonly mailed: Mailed[]
  /** When the short-lived store was lost, in Unix milliseconds. */
  readonly voidedMs: number[]
  readonly rates: FaultRates
  /** Maximum number of parts of a view commit; 1: commits are atomic. */
  readonly partsOfCommit: number
  readonly faults: readonly Fault[]
  /** Whether all views are rebuilt during the history. */
  readonly rebuilds: boolean
  /** Whether views are verified during the history. */
  readonly verifies: boolean
  /** The view runners of the nodes that are up. */
  readonly applying: Set<RunningViews>
  /** Private views for one verification. */
  openBeside(): Promise<Views>
  /** Opens the stores for a node that starts now. */
  open(): Promise<NodeStores>
  /** Restores the read models to an older copy, while no node is up. Returns a description of the copy. */
  setBack(): Promise<string>
  /** Ends the faults that are in effect. */
  heal(): Promise<void>
  /** Whether an error that production code reports or throws follows from the faults of this world. */
  isPlanted(error: unknown): error is Error
  /** Records a report of production code that no injected fault explains. */
  defect(text: string): void
  close(): Promise<void>
}
