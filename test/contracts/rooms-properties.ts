// Property tests of rooms against the model: every result, every list, and all events of each member.

import { expect } from 'chai'
import fc from 'fast-check'
import type { FixedRoom } from '../../domain/game.ts'
import {
  EMPTY_ROOM_KEPT_MS,
  type MakingRefusal,
  NODE_LOST,
  ROOM_KEEPS,
  ROOMS_BEAT_MS,
  ROOMS_DEAD_MS,
  type RoomEvent,
} from '../../stores/contract/rooms.ts'
import { FAILED_SEEDS } from '../failed-seeds.ts'
import { SEED, sized } from '../seeds.ts'
import {
  newId,
  type OpenRooms,
  passesSoon,
  type RoomsWorld,
  roomsOf,
  type Sitter,
  WatchedNode,
} from './rooms-watched.ts'

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

const GAME = 'g'
const MOST: ModelLimits = { rooms: 6, ofPlayer: 2, ofNetwork: 3 }
const PLAYERS = ['ann', 'bea', null] as const
const NETWORKS = ['192.0.2.1', '2001:db8:0:1::/64', null] as const
const SLOTS = [0, 1, 2]

const FIXED: readonly FixedRoom[] = [
  { id: 'one', name: 'one', max_members: 3, listed: true },
  { id: 'two', name: 'two', max_members: 1, listed: false },
]

type What = 'create' | 'join' | 'fixed' | 'leave' | 'send' | 'sendTo' | 'heartbeat' | 'pass' | 'die' | 'close' | 'list'
type Step = readonly [what: What, slot: number, pick: number]

const WEIGHTS: Readonly<Record<What, number>> = {
  create: 4,
  join: 12,
  fixed: 5,
  leave: 5,
  send: 16,
  sendTo: 4,
  heartbeat: 8,
  pass: 5,
  die: 1,
  close: 1,
  list: 3,
}

const STEP: fc.Arbitrary<Step> = fc.tuple(
  fc.oneof(
    ...(Object.keys(WEIGHTS) as What[]).map((what) => ({ weight: WEIGHTS[what], arbitrary: fc.constant(what) })),
  ),
  fc.nat(SLOTS.length - 1),
  fc.nat(999),
)

/**
 * In thousandths of the time after which a silent node is dead: between heartbeats, just before and after, far past.
 */
const PASSES = [333, 333, 400, 600, 667, 999, 1_000, 2_500] as const

export async function checkRoomRules(open: OpenRooms, numRuns: number): Promise<void> {
  const steps = fc.array(STEP, { minLength: 20, maxLength: 120, size: 'max' })
  const property = fc.asyncProperty(steps, async (all) => {
    const run = await Run.begin(await open())
    for (const step of all) await run.take(step)
    await run.end()
  })
  for (const seed of [SEED, ...sized<readonly number[]>([], FAILED_SEEDS.rooms)])
    await fc.assert(property, { numRuns, seed })
}

class Run {
  private readonly world: RoomsWorld
  private readonly model: ModelRooms
  private readonly nodes: { id: number; watched: WatchedNode }[] = []
  private readonly sitters = new Map<string, Sitter>()
  private readonly all: WatchedNode[] = []

  private constructor(world: RoomsWorld) {
    this.world = world
    this.model = new ModelRooms(world.deadMs)
  }

  static async begin(world: RoomsWorld): Promise<Run> {
    const run = new Run(world)
    for (const slot of SLOTS) await run.enter(slot)
    return run
  }

  async take([what, slot, pick]: Step): Promise<void> {
    if (what === 'pass') return this.pass(pick)
    if (what === 'list') return this.list()
    if (what === 'die') return this.enter(slot)
    const at = this.nodes[slot]
    if (at === undefined) throw new Error(`no node ${slot}`)
    if (what === 'heartbeat' || !this.model.isLive(at.id)) return this.heartbeat(at)
    if (what === 'close') {
      this.model.close(at.id)
      await at.watched.node.close()
      return this.enter(slot)
    }
    if (what === 'create') return this.create(at, pick)
    if (what === 'join' || what === 'fixed') return this.join(at, what, pick)
    const [room, own] = this.pickSeat(at.id, pick)
    if (room === undefined || own === undefined) return
    if (what === 'leave') return this.leave(at, room, own)
    return what === 'send' ? this.send(at, room, own, pick) : this.sendTo(at, room, own, pick)
  }

  /** Each member has received exactly what the model says, and members of one room the same. */
  async end(): Promise<void> {
    await this.list()
    for (const room of this.model.rooms.values()) {
      const live = room.members.filter(({ node }) => this.nodes.some(({ id }) => id === node))
      for (const one of live) {
        await passesSoon(() => expect(this.heardBy(one).map(asText)).to.deep.equal(one.heard))
      }
      const [first, ...others] = live.map((one) => this.heardBy(one).filter(({ type }) => type !== 'direct'))
      for (const other of others) expect(other).to.deep.equal(other.length === 0 ? [] : first?.slice(-other.length))
    }
    for (const watched of this.all) await watched.node.close()
    expect((await roomsOf(this.world.rooms, GAME, FIXED)).count).to.be.at.least(1)
  }

  private async enter(slot: number): Promise<void> {
    // Dead nodes are closed at the end, not before.
    const watched = await WatchedNode.enter(this.world.rooms)
    const id = this.all.push(watched)
    this.model.enter(id)
    this.nodes[slot] = { id, watched }
  }

  private async pass(pick: number): Promise<void> {
    const ms = Math.ceil((this.world.deadMs * (PASSES[pick % PASSES.length] ?? 0)) / 1_000)
    this.model.pass(ms)
    await this.world.pass(ms)
  }

  private async heartbeat(at: { id: number; watched: WatchedNode }): Promise<void> {
    const before = at.watched.lost.length
    await at.watched.node.heartbeat()
    const isLive = this.model.isLive(at.id)
    expect(at.watched.lost.length - before).to.equal(isLive ? 0 : 1)
    if (isLive) this.model.heartbeat(at.id)
    else {
      // It starts again under another id.
      at.id = this.all.push(at.watched)
      await at.watched.node.heartbeat()
      this.model.enter(at.id)
      this.model.heartbeat(at.id)
    }
  }

  private async list(): Promise<void> {
    const { rooms, count } = await roomsOf(this.world.rooms, GAME, FIXED)
    const made = [...this.model.rooms.values()].filter(({ fixed, listed }) => !fixed && listed)
    const expected = [
      ...FIXED.filter(({ listed }) => listed).map(({ id }) => [id, this.model.rooms.get(id)?.members.length ?? 0]),
      ...made.map(({ id, members }) => [id, members.length]),
    ]
    expect(rooms.map(({ id, members }) => [id, members])).to.deep.equal(expected)
    expect(count).to.equal(expected.length)
  }

  private async create({ id: node, watched }: { id: number; watched: WatchedNode }, pick: number): Promise<void> {
    const [player, network] = [PLAYERS[pick % 3] ?? null, NETWORKS[Math.floor(pick / 3) % 3] ?? null]
    const [max, listed] = [1 + (pick % 4), pick % 5 > 0]
    const limits = { maxRooms: MOST.rooms, maxRoomsOfPlayer: MOST.ofPlayer, maxRoomsOfNetwork: MOST.ofNetwork }
    const by = { player: player === null ? null : { id: player, name: player }, network }
    const made = await watched.create(GAME, { ...limits, ...by, maxMembers: max, listed })
    const id = typeof made === 'string' ? '' : made.seat.room
    const room = this.model.create({ id, max, listed, player, network }, MOST)
    if (typeof room === 'string' || typeof made === 'string') return void expect(made).to.equal(room)
    this.model.sit(room, made.seat.member, node, null)
    this.sitters.set(made.seat.member, made)
  }

  private async join(at: { id: number; watched: WatchedNode }, what: 'join' | 'fixed', pick: number): Promise<void> {
    const ids = [...this.model.rooms.keys(), newId('none')]
    const fixed = what === 'fixed' ? (FIXED[pick % FIXED.length] ?? null) : null
    const id = fixed?.id ?? ids[pick % ids.length] ?? ''
    const known = this.model.rooms.get(id)?.seq ?? 0
    const since = pick % 3 === 0 ? null : Math.max(0, known - (pick % 70) + 2)
    const sitter = await at.watched.join(GAME, id, { fixed, since })
    const room = this.model.open(id, fixed, typeof sitter === 'string' ? 0 : sitter.joined.seq)
    if (typeof room === 'string' || typeof sitter === 'string') return void expect(sitter).to.equal(room)
    const missed = this.model.sit(room, sitter.seat.member, at.id, since)
    const { joined } = sitter
    expect(joined.members.map(({ member }) => member)).to.deep.equal(room.members.map(({ member }) => member))
    expect([joined.seq, joined.missed?.map(({ seq }) => seq) ?? null]).to.deep.equal([room.seq, missed])
    expect([joined.room.members, joined.room.max_members]).to.deep.equal([room.members.length, room.max])
    this.sitters.set(sitter.seat.member, sitter)
  }

  private async leave(at: { watched: WatchedNode }, room: ModelRoom, own: ModelMember): Promise<void> {
    const sitter = this.sitters.get(own.member)
    if (sitter === undefined) throw new Error('nobody sits there')
    expect(await at.watched.leave(sitter, own.member)).to.equal(true)
    this.model.leave(room, own.member)
  }

  private async send(at: { watched: WatchedNode }, room: ModelRoom, own: ModelMember, pick: number): Promise<void> {
    for (let n = 0; n <= pick % 5; n++) {
      const sent = await at.watched.node.send({ game: GAME, room: room.id, member: own.member }, `"${pick} ${n}"`)
      expect(sent).to.include({ seq: this.model.send(room, own.member, `"${pick} ${n}"`) })
    }
  }

  private async sendTo(at: { watched: WatchedNode }, room: ModelRoom, own: ModelMember, pick: number): Promise<void> {
    const to = room.members[pick % room.members.length]?.member ?? ''
    const sent = await at.watched.node.sendTo({ game: GAME, room: room.id, member: own.member }, to, String(pick))
    expect(sent).to.be.an('object')
    this.model.sendTo(room, own.member, to, String(pick))
  }

  private pickSeat(node: number, pick: number): readonly [ModelRoom | undefined, ModelMember | undefined] {
    const seats = [...this.model.rooms.values()].flatMap((room) =>
      room.members.filter((one) => one.node === node).map((one) => [room, one] as const),
    )
    return seats[pick % seats.length] ?? [undefined, undefined]
  }

  private heardBy({ member }: ModelMember): readonly RoomEvent[] {
    return this.sitters.get(member)?.heard ?? []
  }
}

function asText(event: RoomEvent): string {
  switch (event.type) {
    case 'message':
      return `message ${event.seq} ${event.from} ${event.data}`
    case 'direct':
      return `direct ${event.from} ${event.to} ${event.data}`
    case 'joined':
      return `joined ${event.member}`
    case 'left':
      return event.reason === NODE_LOST ? LOST_TOLD : `left ${event.member}`
    case 'ended':
      return 'ended'
  }
}
