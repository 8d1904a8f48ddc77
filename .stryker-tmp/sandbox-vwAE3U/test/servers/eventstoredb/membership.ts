// What one node is in its cluster, as its calls need to know it.

import type { ServiceError } from '@grpc/grpc-js'
import type { Node } from './node.ts'

/** The states of the gossip protocol that the simulated nodes have, by their numbers there. */
export const STATES = {
  Initializing: 0,
  Unknown: 2,
  Clone: 5,
  Follower: 6,
  Leader: 8,
  ResigningLeader: 15,
} as const

export type State = keyof typeof STATES

export interface Member {
  readonly id: string
  readonly port: number
  readonly state: State
  readonly isAlive: boolean
}

/** Where an append goes that any node may take. `swallowed`: it is answered by a time-out only. */
export type AppendTarget = Node | 'swallowed' | 'not-ready'

export interface Membership {
  /** What a call that requires the leader is refused with; null where this node leads. */
  refusalToLead(): ServiceError | null
  appendTarget(): AppendTarget
  /** All members, as this node would tell of them. */
  members(): readonly Member[]
  /** Milliseconds after which an append that nobody could take is answered by a time-out. */
  readonly forwardTimeoutMs: number
}
