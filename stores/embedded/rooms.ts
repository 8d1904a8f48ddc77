// In-process rooms, equivalent to those in Redis, for one or more nodes in one process. Sending a message only looks
// up its room and notifies the nodes there.

import { StoreUnavailable } from '../contract/faults.ts'
import {
  type Hearing,
  type Joining,
  type JoinRefusal,
  type Listening,
  type ListeningRefusal,
  type Making,
  type MakingRefusal,
  type Member,
  NODE_LOST,
  REPLACED,
  ROOMS_DEAD_MS,
  type RoomEvent,
  type Rooms,
  type RoomsNode,
  type RoomsPage,
  type RoomsQuery,
  type RoomWithMembers,
  SEAT_SILENT_MS,
  SEATS_ASKED_MAX,
  type Seat,
  type Seated,
  type WholeRoomsPage,
  type WholeRoomsQuery,
} from '../contract/rooms.ts'
import { caselessName } from '../support/storable.ts'
import {
  type Incarnation,
  joinedOf,
  keepMessage,
  membersOf,
  type Room,
  RoomsState,
  recordOf,
  type Sitting,
  seatsOf,
} from './rooms-state.ts'

const CLOCKS: RoomsClocks = { now: () => performance.now(), wallMs: Date.now }

export function createRooms(clocks: RoomsClocks = CLOCKS, deadMs: number = ROOMS_DEAD_MS): Rooms {
  const world = new World(clocks, deadMs)
  return {
    enter: async (hearing) => new Node(world, hearing),
    list: async (query) => listed(world.state, query),
    listWhole: async (query) => whole(world.state, query),
    forget: async (game) => world.state.forgetGame(game),
  }
}

class Node implements RoomsNode {
  readonly hearing: Hearing
  private readonly world: World
  private incarnation: Living
  private closed = false

  constructor(world: World, hearing: Hearing) {
    this.world = world
    this.hearing = hearing
    this.incarnation = world.begin(this)
  }

  async heartbeat(): Promise<void> {
    if (this.closed) throw closedFault()
    if (this.world.isLive(this.incarnation)) this.world.heartbeat(this.incarnation)
    else this.beginAgain()
  }

  async create(making: Making, seated: Seated): Promise<MakingRefusal | null> {
    this.live()
    const { state } = this.world
    const full = state.full(making)
    if (full !== null) return full
    this.sit(state.make(making), making, null, seated)
    return null
  }

  async join(joining: Joining, seated: Seated): Promise<JoinRefusal | 'seats_asked' | null> {
    this.live()
    const { game, room: id, fixed, since } = joining
    const found = this.world.state.find(game, id)
    if (fixed === null && (found === undefined || found.fixed)) return 'room_not_found'
    const maxMembers = fixed?.max_members ?? found?.maxMembers ?? 0
    const own = found === undefined ? [] : seatsOf(found, joining.player)
    const isFull = (found?.members.size ?? 0) >= maxMembers
    const silent = isFull ? this.silentOf(own) : undefined
    if (isFull && silent === undefined) {
      if (found !== undefined && joining.asks) this.ask(found, own)
      return own.some(({ askedMs }) => askedMs !== null) ? 'seats_asked' : 'room_full'
    }
    const room = this.existing(joining)
    if (room === null) return 'room_not_found'
    if (silent !== undefined) this.world.replace(room, silent)
    if (joining.asks) this.ask(room, silent === undefined ? own : [])
    this.sit(room, joining, since, seated)
    return null
  }

  async answered({ game, room: id, member }: Seat): Promise<void> {
    this.live()
    const sitting = this.seatedIn(game, id, member)?.members.get(member)
    if (sitting !== undefined) sitting.askedMs = null
  }

  private silentOf(seats: readonly Sitting<HearingNode>[]): Sitting<HearingNode> | undefined {
    const silentMs = this.world.clocks.now() - SEAT_SILENT_MS
    return seats.find(({ askedMs }) => askedMs !== null && askedMs <= silentMs)
  }

  private ask({ game, id: room }: Room<HearingNode>, seats: readonly Sitting<HearingNode>[]): void {
    for (const sitting of seats.slice(0, SEATS_ASKED_MAX)) {
      sitting.askedMs ??= this.world.clocks.now()
      const { member, incarnation } = sitting
      this.world.ordered(() => incarnation.node.hearing.asked({ game, room, member }))
    }
  }

  async listen(listening: Listening, seated: Seated): Promise<ListeningRefusal | null> {
    this.live()
    const { game, room: id, fixed, maxListeners } = listening
    const found = this.world.state.find(game, id)
    if (fixed === null && (found === undefined || found.fixed)) return 'room_not_found'
    if ((found?.listeners.size ?? 0) >= maxListeners) return 'too_many_listeners'
    const room = this.existing(listening)
    if (room === null) return 'room_not_found'
    this.world.state.listen(room, listening.member, this.incarnation)
    const joined = joinedOf(room, null)
    this.world.ordered(() => seated(joined))
    return null
  }

  /** The room; a fixed one is created if missing. Null if there is none. */
  private existing(asked: Pick<Listening, 'game' | 'room' | 'fixed'>): Room<HearingNode> | null {
    const { state, clocks } = this.world
    const { fixed } = asked
    if (fixed !== null) return state.fixed(asked, fixed.name, fixed.max_members, clocks.wallMs())
    const found = state.find(asked.game, asked.room)
    return found === undefined || found.fixed ? null : found
  }

  async leave({ game, room: id, member }: Seat, reason: string): Promise<boolean> {
    this.live()
    const room = this.seatedIn(game, id, member) ?? this.heardIn(game, id, member)
    if (room === undefined) return false
    this.world.remove(room, member, this.incarnation, reason)
    return true
  }

  async send({ game, room: id, member: from }: Seat, data: string) {
    const room = this.seatedIn(game, id, from)
    if (room === undefined) {
      this.live()
      return 'not_in_room'
    }
    const sentAtMs = this.world.clocks.wallMs()
    const seq = ++room.seq
    const message = { type: 'message', game, room: id, from, data, seq, sentAtMs } as const
    keepMessage(room, message)
    deliver(this.world.ordered, room, message)
    return message
  }

  async sendTo({ game, room: id, member: from }: Seat, to: string, data: string) {
    const room = this.seatedIn(game, id, from)
    if (room === undefined) {
      this.live()
      return 'not_in_room'
    }
    const other = room.members.get(to)?.incarnation.node
    if (other === undefined) return 'member_not_found'
    const sentAtMs = this.world.clocks.wallMs()
    const event: RoomEvent = { type: 'direct', game, room: id, from, to, data, sentAtMs }
    this.world.ordered(() => {
      this.hearing.heard(event)
      if (other !== this) other.hearing.heard(event)
    })
    return { sentAtMs }
  }

  async close(): Promise<void> {
    this.closed = true
    this.world.end(this.incarnation)
  }

  private sit(room: Room<HearingNode>, { member, player }: Member, since: number | null, seated: Seated): void {
    this.world.state.sit(room, { member, player }, this.incarnation)
    const joined = joinedOf(room, since)
    deliver(this.world.ordered, room, { type: 'joined', game: room.game, room: room.id, member, player })
    this.world.ordered(() => seated(joined))
  }

  private seatedIn(game: string, id: string, member: string): Room<HearingNode> | undefined {
    const room = this.world.state.find(game, id)
    return room?.members.get(member)?.incarnation === this.incarnation ? room : undefined
  }

  private heardIn(game: string, id: string, listener: string): Room<HearingNode> | undefined {
    const room = this.world.state.find(game, id)
    return room?.listeners.get(listener) === this.incarnation ? room : undefined
  }

  /** Throws if the node is closed or has lost its seats; in the second case it starts over without seats. */
  private live(): void {
    if (this.closed) throw closedFault()
    if (this.world.isLive(this.incarnation)) return
    this.beginAgain()
    throw new StoreUnavailable(
      'This node was silent for too long and has lost its seats in rooms. Clients must connect again.',
    )
  }

  private beginAgain(): void {
    this.incarnation = this.world.begin(this)
    this.hearing.lost('it was silent for too long')
  }
}

const closedFault = () => new StoreUnavailable('This node of rooms is closed.')

function listed(state: RoomsState<HearingNode>, { game, search, limit, offset, fixed }: RoomsQuery): RoomsPage {
  const searched = caselessName(search)
  const fixedRooms = fixed
    .filter((one) => one.listed && caselessName(one.name).includes(searched))
    .map(({ id, name, max_members }) => {
      const members = state.find(game, id)?.members.size ?? 0
      return { id, name, members, max_members, fixed: true }
    })
  const made = state.madeRooms(game).filter(({ listed, caseless }) => listed && caseless.includes(searched))
  const rows = [...fixedRooms, ...made.slice(0, offset + limit).map(recordOf)]
  return { rooms: rows.slice(offset, offset + limit), count: fixedRooms.length + made.length }
}

function whole(
  state: RoomsState<HearingNode>,
  { game, limit, offset, fixed, maxMembers }: WholeRoomsQuery,
): WholeRoomsPage {
  const made = state.madeRooms(game)
  const count = fixed.length + made.length
  const rooms: RoomWithMembers[] = []
  let members = 0
  let next = offset
  for (; next < Math.min(offset + limit, count); next++) {
    const fixedRoom = fixed[next]
    const room = fixedRoom === undefined ? made[next - fixed.length] : state.find(game, fixedRoom.id)
    members += room?.members.size ?? 0
    if (rooms.length > 0 && members > maxMembers) break
    const own = room === undefined ? [] : membersOf(room)
    if (fixedRoom !== undefined) {
      const { id, name, max_members } = fixedRoom
      rooms.push({ id, name, members: own, max_members, fixed: true })
    } else if (room !== undefined) rooms.push({ ...recordOf(room), members: own })
  }
  return { rooms, count, next }
}

interface RoomsClocks {
  /** Monotonic milliseconds; decide when a node is dead. */
  readonly now: () => number
  /** Unix milliseconds, for message times. */
  readonly wallMs: () => number
}

/** A node and its event handlers. */
interface HearingNode {
  readonly hearing: Hearing
}

type Living = Incarnation<HearingNode>

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

  /** Frees a seat for another member who sits down next: the room does not end. */
  replace(room: Room<HearingNode>, { member, incarnation }: Sitting<HearingNode>): void {
    this.state.unseat(room, member, incarnation)
    this.tellLeft(room, member, incarnation, REPLACED)
  }

  private tellLeft(room: Room<HearingNode>, member: string, incarnation: Living, reason: string): void {
    const event: RoomEvent = { type: 'left', game: room.game, room: room.id, member, reason }
    deliver(this.ordered, room, event)
    if (reason !== REPLACED || room.at.has(incarnation)) return
    this.ordered(() => incarnation.node.hearing.heard(event))
  }

  /** Removes a member or a listener. */
  remove(room: Room<HearingNode>, id: string, incarnation: Living, reason: string): void {
    const isMember = room.members.has(id)
    const hasEnded = this.state.remove(room, id, incarnation, this.clocks.now())
    const where = { game: room.game, room: room.id }
    if (isMember) this.tellLeft(room, id, incarnation, reason)
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

// A non-reentrant FIFO queue: nested calls run after the current one, not inside it.

export type Ordered = (work: () => void) => void

function createOrdered(): Ordered {
  const waiting: (() => void)[] = []
  let isRunning = false
  return (work) => {
    if (isRunning) {
      waiting.push(work)
      return
    }
    isRunning = true
    try {
      work()
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next()
    } finally {
      isRunning = false
    }
  }
}
