// One node of the simulated cluster: its port, its state, and how it handles calls that need the leader.

import type { ServiceError } from '@grpc/grpc-js'
import { noFaults } from './faults.ts'
import { type Front, makeFront } from './front.ts'
import { type GrpcServer, startGrpc } from './grpc-server.ts'
import { type HttpInfo, startHttpInfo } from './http-info.ts'
import type { Journal } from './journal.ts'
import type { AppendTarget, Member, Membership, State } from './membership.ts'
import { type Node, startNode } from './node.ts'
import type { LogRecord } from './record.ts'
import { notLeader, notReady } from './refusals.ts'
import type { Settings } from './settings.ts'
import type { Writer } from './writer.ts'

interface ClusterNodeParts {
  readonly id: string
  readonly settings: Settings
  readonly journal: Journal
  readonly writer: Writer
  readonly forwardTimeoutMs: number
  readonly members: () => readonly Member[]
  readonly leader: () => ClusterNode | null
}

interface Run {
  readonly node: Node
  readonly grpc: GrpcServer
  readonly http: HttpInfo
}

export class ClusterNode implements Membership {
  readonly #parts: ClusterNodeParts
  readonly #front: Front
  #run: Run | null = null
  #frozen = false
  /** Its state in gossip, also after it is gone. */
  #isAlive = false
  state: State = 'Initializing'
  /** The leader that it names to callers: also a dead one, until it knows another. */
  knownLeader: ClusterNode | null = null

  constructor(parts: ClusterNodeParts) {
    this.#parts = parts
    this.#front = makeFront(0, { grpc: () => this.#run?.grpc.port ?? 0, http: () => this.#run?.http.port ?? 0 })
  }

  get port(): number {
    return this.#front.port()
  }

  get forwardTimeoutMs(): number {
    return this.#parts.forwardTimeoutMs
  }

  isWell(): boolean {
    return this.#run !== null && !this.#frozen
  }

  members(): readonly Member[] {
    return this.#parts.members()
  }

  member(): Member {
    return { id: this.#parts.id, port: this.port, state: this.state, isAlive: this.#isAlive }
  }

  refusalToLead(): ServiceError | null {
    if (this.state === 'Leader') return null
    const named = this.knownLeader
    return named === null || named === this || this.state === 'Unknown' ? notReady() : notLeader(named.port)
  }

  appendTarget(): AppendTarget {
    if (this.state === 'Unknown' || this.state === 'ResigningLeader') return 'not-ready'
    const leader = this.#parts.leader()
    return leader?.isWell() ? (leader.#run?.node ?? 'swallowed') : 'swallowed'
  }

  committed(records: readonly LogRecord[]): void {
    for (const subscription of [...(this.#run?.node.subscriptions ?? [])]) subscription.committed(records)
  }

  async start(): Promise<void> {
    const { settings, journal, writer } = this.#parts
    const shared = { settings, journal, writer, counters: { appends: 0, streamReads: 0 }, access: null }
    const own = { faults: noFaults(), port: () => this.port, membership: this, readyAtMs: 0 }
    const node = startNode({ ...shared, ...own })
    this.#run = { node, grpc: await startGrpc(node), http: await startHttpInfo(node) }
    this.#isAlive = true
    await this.#front.listen()
  }

  async kill(): Promise<void> {
    const run = this.#run
    if (run === null) return
    this.#run = null
    run.node.running = false
    await this.#front.refuse()
    this.#front.cut()
    run.grpc.kill()
    run.http.stop()
  }

  /** The other nodes have noticed that it is gone. */
  notice(): void {
    if (this.#run !== null) return
    this.#isAlive = false
  }

  /** A node was elected. Dead and frozen nodes do not learn of it. */
  follow(leader: ClusterNode): void {
    if (!this.isWell()) {
      this.state = 'Unknown'
      this.#isAlive = false
      return
    }
    this.knownLeader = leader
    if (leader !== this && this.state !== 'Clone') this.state = 'Follower'
  }

  /** Becomes the leader: first not ready, then one call fails, then it works. */
  lead(notReadyMs: number): void {
    this.state = 'Leader'
    const node = this.#run?.node
    if (node === undefined || notReadyMs === 0) return
    node.readyAtMs = Date.now() + notReadyMs
    node.faults.throws = 1
  }

  freeze(): void {
    this.#frozen = true
    this.#front.freeze()
  }

  thaw(): void {
    this.#frozen = false
    this.#isAlive = this.#run !== null
    this.#front.thaw()
  }

  cut(): void {
    this.#front.cut()
  }

  connections(): number {
    return this.#front.connections()
  }
}
