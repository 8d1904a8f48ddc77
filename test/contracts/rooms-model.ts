// Rooms as plain lists, one step after the other: what each call must answer, and what each member must hear.

import type { FixedRoom } from '../../domain/game.ts'
import { NODE_LOST, ROOM_KEEPS, ROOMS_BEAT_MS, ROOMS_DEAD_MS } from '../../stores/contract/rooms.ts'

export interface ModelMember {
  readonly member: string
  readonly node: number
  /** As text: what it heard since it sat. */
  readonly heard: string[]
}

export interface ModelRoom {
  readonly id: string
  readonly max: number
  readonly fixed: boolean
  readonly listed: boolean
  members: ModelMember[]
  log: { readonly seq: number; readonly data: string }[]
  seq: number
}

/** Seats that died are told in any order. */
export const LOST_TOLD = `left ${NODE_LOST}`

export class ModelRooms {
  readonly rooms = new Map<string, ModelRoom>()
  private readonly lastBeat = new Map<number, number>()
  private readonly deadMs: number
  private nowMs = 0

  constructor(deadMs: number) {
    this.deadMs = deadMs
  }

  pass(ms: number): void {
    this.nowMs += ms
  }

  isLive(node: number): boolean {
    return this.lastBeat.has(node)
  }

  enter(node: number): void {
    this.lastBeat.set(node, this.nowMs)
    this.bury()
  }

  beat(node: number): void {
    const grace = (this.deadMs * (ROOMS_DEAD_MS - ROOMS_BEAT_MS)) / ROOMS_DEAD_MS
    const wasAway = this.nowMs - Math.max(...this.lastBeat.values()) > grace
    for (const one of wasAway ? [...this.lastBeat.keys()] : [node]) this.lastBeat.set(one, this.nowMs)
    this.bury()
  }

  close(node: number): void {
    this.lastBeat.delete(node)
    this.clear((one) => one === node)
  }

  create(room: Omit<ModelRoom, 'members' | 'log' | 'seq' | 'fixed'>, most: number): ModelRoom | 'too_many_rooms' {
    if ([...this.rooms.values()].filter(({ fixed }) => !fixed).length >= most) return 'too_many_rooms'
    const made = { ...room, fixed: false, members: [], log: [], seq: 0 }
    this.rooms.set(room.id, made)
    return made
  }

  /** The room as one may join it; `seq` begins as it was found to. */
  open(id: string, fixed: FixedRoom | null, seq: number): ModelRoom | 'room_not_found' | 'room_full' {
    const found = this.rooms.get(id)
    const room = found ?? (fixed === null ? undefined : { ...fixed, max: fixed.max_members, fixed: true })
    if (room === undefined || (fixed === null && room.fixed)) return 'room_not_found'
    if ((found?.members.length ?? 0) >= room.max) return 'room_full'
    if (found !== undefined) return found
    const made = { id, max: room.max, fixed: true, listed: room.listed, members: [], log: [], seq }
    this.rooms.set(id, made)
    return made
  }

  sit(room: ModelRoom, member: string, node: number, since: number | null): number[] | null {
    this.tell(room, `joined ${member}`)
    room.members.push({ member, node, heard: [] })
    if (since === null || since > room.seq || room.seq - since > room.log.length) return null
    return room.log.filter(({ seq }) => seq > since).map(({ seq }) => seq)
  }

  leave(room: ModelRoom, member: string, told = `left ${member}`): void {
    room.members = room.members.filter((one) => one.member !== member)
    this.tell(room, told)
    if (room.members.length === 0 && !room.fixed) this.rooms.delete(room.id)
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
    const dead = [...this.lastBeat].filter(([, atMs]) => atMs + this.deadMs <= this.nowMs).map(([node]) => node)
    for (const node of dead) this.lastBeat.delete(node)
    this.clear((node) => dead.includes(node))
  }

  private clear(isDead: (node: number) => boolean): void {
    for (const room of [...this.rooms.values()]) {
      for (const { member, node } of room.members) if (isDead(node)) this.leave(room, member, LOST_TOLD)
    }
  }
}
