// A sequential model of rooms: what each call must return, and what each member must receive.

import type { FixedRoom } from '../../domain/game.ts'
import type { MakingRefusal } from '../../stores/contract/rooms.ts'
import { EMPTY_ROOM_KEPT_MS, NODE_LOST, ROOM_KEEPS, ROOMS_BEAT_MS, ROOMS_DEAD_MS } from '../../stores/contract/rooms.ts'

export interface ModelMember {
  readonly member: string
  readonly node: number
  /** Received events as text, since it joined. */
  readonly heard: string[]
}

export interface ModelRoom {
  readonly id: string
  readonly max: number
  readonly fixed: boolean
  readonly listed: boolean
  /** The creator, and their network address; null: not counted. */
  readonly player: string | null
  readonly network: string | null
  /** When the last member left a fixed room. */
  emptyMs: number
  members: ModelMember[]
  log: { readonly seq: number; readonly data: string }[]
  seq: number
}

/** The initial state of a room. */
type Begun = 'members' | 'log' | 'seq' | 'fixed' | 'emptyMs'

export interface ModelLimits {
  readonly rooms: number
  readonly ofPlayer: number
  readonly ofNetwork: number
}

/** Seats of dead nodes are reported in any order. */
export const LOST_TOLD = `left ${NODE_LOST}`

export class ModelRooms {
  readonly rooms = new Map<string, ModelRoom>()
  private readonly lastHeartbeat = new Map<number, number>()
  private readonly deadMs: number
  private nowMs = 0

  constructor(deadMs: number) {
    this.deadMs = deadMs
  }

  pass(ms: number): void {
    this.nowMs += ms
  }

  isLive(node: number): boolean {
    return this.lastHeartbeat.has(node)
  }

  enter(node: number): void {
    this.lastHeartbeat.set(node, this.nowMs)
    this.bury()
  }

  heartbeat(node: number): void {
    const grace = (this.deadMs * (ROOMS_DEAD_MS - ROOMS_BEAT_MS)) / ROOMS_DEAD_MS
    const wasUnavailable = this.nowMs - Math.max(...this.lastHeartbeat.values()) > grace
    for (const one of wasUnavailable ? [...this.lastHeartbeat.keys()] : [node]) this.lastHeartbeat.set(one, this.nowMs)
    this.bury()
  }

  close(node: number): void {
    this.lastHeartbeat.delete(node)
    this.clear((one) => one === node)
  }

  create(room: Omit<ModelRoom, Begun>, most: ModelLimits): ModelRoom | MakingRefusal {
    const { player, network } = room
    const made = [...this.rooms.values()].filter(({ fixed }) => !fixed)
    if (made.length >= most.rooms) return 'too_many_rooms'
    if (player !== null && made.filter((one) => one.player === player).length >= most.ofPlayer) {
      return 'too_many_rooms_of_player'
    }
    if (network !== null && made.filter((one) => one.network === network).length >= most.ofNetwork) {
      return 'too_many_rooms_of_network'
    }
    return this.opened(room)
  }

  private opened(room: Omit<ModelRoom, Begun>): ModelRoom {
    const made = { ...room, fixed: false, emptyMs: 0, members: [], log: [], seq: 0 }
    this.rooms.set(room.id, made)
    return made
  }

  /** The room as a client joins it; `seq` starts at the observed value. */
  open(id: string, fixed: FixedRoom | null, seq: number): ModelRoom | 'room_not_found' | 'room_full' {
    const found = this.rooms.get(id)
    const room = found ?? (fixed === null ? undefined : { ...fixed, max: fixed.max_members, fixed: true })
    if (room === undefined || (fixed === null && room.fixed)) return 'room_not_found'
    if ((found?.members.length ?? 0) >= room.max) return 'room_full'
    if (found !== undefined) return found
    const made = {
      id,
      max: room.max,
      fixed: true,
      listed: room.listed,
      player: null,
      network: null,
      emptyMs: this.nowMs,
      members: [],
      log: [],
      seq,
    }
    this.rooms.set(id, made)
    return made
  }

  sit(room: ModelRoom, member: string, node: number, since: number | null): number[] | null {
    this.tell(room, `joined ${member}`)
    room.members.push({ member, node, heard: [] })
    if (since === null || since > room.seq || room.seq - since > room.log.length) return null
    return room.log.filter(({ seq }) => seq > since).map(({ seq }) => seq)
  }

  leave(room: ModelRoom, member: string, notice = `left ${member}`): void {
    room.members = room.members.filter((one) => one.member !== member)
    this.tell(room, notice)
    if (room.members.length > 0) return
    room.emptyMs = this.nowMs
    if (!room.fixed) this.rooms.delete(room.id)
  }

  send(room: ModelRoom, from: string, data: string): number {
    room.seq++
    room.log = [...room.log, { seq: room.seq, data }].slice(-ROOM_KEEPS)
    this.tell(room, `message ${room.seq} ${from} ${data}`)
    return room.seq
  }

  sendTo(room: ModelRoom, from: string, to: string, data: string): void {
    for (const { member, heard } of room.members) {
      if (member === from || member === to) heard.push(`direct ${from} ${to} ${data}`)
    }
  }

  private tell(room: ModelRoom, what: string): void {
    for (const { heard } of room.members) heard.push(what)
  }

  private bury(): void {
    const dead = [...this.lastHeartbeat].filter(([, atMs]) => atMs + this.deadMs <= this.nowMs).map(([node]) => node)
    for (const node of dead) this.lastHeartbeat.delete(node)
    this.clear((node) => dead.includes(node))
    for (const { id, fixed, members, emptyMs } of [...this.rooms.values()]) {
      if (fixed && members.length === 0 && emptyMs + EMPTY_ROOM_KEPT_MS <= this.nowMs) this.rooms.delete(id)
    }
  }

  private clear(isDead: (node: number) => boolean): void {
    for (const room of [...this.rooms.values()]) {
      for (const { member, node } of room.members) if (isDead(node)) this.leave(room, member, LOST_TOLD)
    }
  }
}
