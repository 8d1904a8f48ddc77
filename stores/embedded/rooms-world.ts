// State shared by the room nodes of one process: which nodes are live, cleanup after dead ones, and the order of
// delivery.

import { type Hearing, NODE_LOST, type RoomEvent } from '../contract/rooms.ts'
import { createOrdered, type Ordered } from './ordered.ts'
import { type Incarnation, type Room, RoomsState } from './rooms-state.ts'

export interface RoomsClocks {
  /** Monotonic milliseconds; decide when a node is dead. */
  readonly now: () => number
  /** Unix milliseconds, for message times. */
  readonly wallMs: () => number
}

/** A node and its event handlers. */
export interface HearingNode {
  readonly hearing: Hearing
}

export type Living = Incarnation<HearingNode>

/** State shared by the nodes of a process. */
export class World {
  readonly state = new RoomsState<HearingNode>()
  readonly clocks: RoomsClocks
  readonly ordered: Ordered = createOrdered()
  private readonly lives = new Set<Living>()
  private readonly deadMs: number

  constructor(clocks: RoomsClocks, deadMs: number) {
    this.clocks = clocks
    this.deadMs = deadMs
  }

  begin(node: HearingNode): Living {
    const incarnation: Living = { node, seats: new Map(), untilMs: this.clocks.now() + this.deadMs }
    this.lives.add(incarnation)
    this.sweep()
    return incarnation
  }

  isLive(incarnation: Living): boolean {
    return this.lives.has(incarnation)
  }

  heartbeat(incarnation: Living): void {
    const nowMs = this.clocks.now()
    const lastMs = Math.max(...[...this.lives].map(({ untilMs }) => untilMs - this.deadMs))
    // If no node sent a heartbeat, the process itself was paused.
    const renewed = nowMs - lastMs > (this.deadMs * 2) / 3 ? this.lives : [incarnation]
    for (const one of renewed) one.untilMs = nowMs + this.deadMs
    this.sweep()
  }

  end(incarnation: Living): void {
    this.lives.delete(incarnation)
    for (const room of incarnation.seats.values()) room.at.delete(incarnation)
    for (const [id, room] of incarnation.seats) this.remove(room, id, incarnation, NODE_LOST)
  }

  /** Removes a member or a listener. */
  remove(room: Room<HearingNode>, id: string, incarnation: Living, reason: string): void {
    const isMember = room.members.has(id)
    const hasEnded = this.state.remove(room, id, incarnation, this.clocks.now())
    const where = { game: room.game, room: room.id }
    if (isMember) deliver(this.ordered, room, { type: 'left', ...where, member: id, reason })
    if (!hasEnded || room.listeners.size === 0) return
    deliver(this.ordered, room, { type: 'ended', ...where })
    for (const [listener, { seats }] of room.listeners) seats.delete(listener)
    room.listeners.clear()
    room.at.clear()
  }

  private sweep(): void {
    const nowMs = this.clocks.now()
    for (const incarnation of this.lives) if (incarnation.untilMs <= nowMs) this.end(incarnation)
    this.state.forget(nowMs)
  }
}

/** Delivers an event to the nodes that have members or listeners in the room now. */
export function deliver(ordered: Ordered, { at }: Room<HearingNode>, event: RoomEvent): void {
  if (at.size === 1) {
    for (const { node } of at.keys()) ordered(() => node.hearing.heard(event))
    return
  }
  const nodes = [...at.keys()]
  ordered(() => {
    for (const { node } of nodes) node.hearing.heard(event)
  })
}
