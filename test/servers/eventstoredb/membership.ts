// The role of a node in its cluster, as its calls use it.

import type { ServiceError } from '@grpc/grpc-js'
import type { Node } from './node.ts'

/** The states of simulated nodes, with their numbers in the gossip protocol. */
export const STATES = { Initializing: 0, Unknown: 2, Clone: 5, Follower: 6, Leader: 8, ResigningLeader: 15 } as const

export type State = keyof typeof STATES

export interface Member {
  readonly id: string
  readonly port: number
  readonly state: State
  readonly isAlive: boolean
}

/** The node that handles an append that any node may accept. `swallowed`: it is answered by a timeout only. */
export type AppendTarget = Node | 'swallowed' | 'not-ready'

export interface Membership {
  /** The refusal of a call that requires the leader; null if this node is the leader. */
  refusalToLead(): ServiceError | null
  appendTarget(): AppendTarget
  /** All members as this node reports them. */
  members(): readonly Member[]
  /** Milliseconds after which an append without a leader is answered by a timeout. */
  readonly forwardTimeoutMs: number
}
