// A room node as a server uses it: records what each member receives after joining, and waits for deliveries.

import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { FixedRoom } from '../../domain/game.ts'
import type {
  Joined,
  Joining,
  Making,
  Message,
  RoomEvent,
  Rooms,
  RoomsNode,
  Seat,
} from '../../stores/contract/rooms.ts'

export interface RoomsWorld {
  readonly rooms: Rooms
  /** The time after which a silent node is dead: longer than any check. */
  readonly deadMs: number
  /** Advances the store's clock, or acts as if. */
  pass(ms: number): Promise<void>
}

export type OpenRooms = () => Promise<RoomsWorld>

export interface Sitter {
  readonly seat: Seat
  readonly joined: Joined
  /** The events that this member received, in order. */
  readonly heard: RoomEvent[]
}

const HELD_WITHIN_MS = 15_000

/** Resolves once the check passes; rejects with its failure after a timeout. */
export async function passesSoon(check: () => void): Promise<void> {
  const untilMs = performance.now() + HELD_WITHIN_MS
  for (;;) {
    try {
      check()
      return
    } catch (failure) {
      if (performance.now() > untilMs) throw failure
      await wait(2)
    }
  }
}

let given = 0
/** A player id and name of this process, in the form that a fixed room may have. */
export const newId = (what: string): string => `${what}-${++given}`
export const playerOf = (member: string) => ({ id: `p-${member}`, name: `"${member}" é 日\n x` })

export class WatchedNode {
  readonly node: RoomsNode
  readonly sitters = new Map<string, Sitter>()
  readonly lost: string[]
  /** All its messages except the member list. */
  readonly received: RoomEvent[]
  /** The members of its seats that were asked whether their connections answer. */
  readonly asked: string[]
  private readonly hear: { react: (event: RoomEvent) => void }

  private constructor(
    node: RoomsNode,
    { received, lost, asked }: { received: RoomEvent[]; lost: string[]; asked: string[] },
    hear: { react: (event: RoomEvent) => void },
  ) {
    this.node = node
    this.asked = asked
    this.received = received
    this.lost = lost
    this.hear = hear
  }

  static async enter(rooms: Rooms): Promise<WatchedNode> {
    const [received, lost, asked]: [RoomEvent[], string[], string[]] = [[], [], []]
    const hear: { react: (event: RoomEvent) => void } = { react: () => {} }
    const node = await rooms.enter({
      heard(event) {
        received.push(event)
        watched.fanOut(event)
        hear.react(event)
      },
      lost(reason) {
        lost.push(reason)
        watched.sitters.clear()
      },
      asked: ({ member }) => void asked.push(member),
    })
    const watched = new WatchedNode(node, { received, lost, asked }, hear)
    return watched
  }

  /** Runs an action during the delivery of an event. */
  reacts(react: (event: RoomEvent) => void): void {
    this.hear.react = react
  }

  async create(game: string, over: Partial<Omit<Making, keyof Seat>> = {}) {
    const seat = { game, room: newId('room'), member: newId('m') }
    const room = { name: 'A room', maxMembers: 1_000, listed: true, maxRooms: 10_000 }
    const makers = { maxRoomsOfPlayer: 10_000, network: null, maxRoomsOfNetwork: 10_000 }
    const making = { ...seat, ...room, ...makers, player: playerOf(seat.member), ...over }
    return this.seating(seat, (seated) => this.node.create(making, seated))
  }

  async join(game: string, room: string, over: Partial<Omit<Joining, keyof Seat>> = {}) {
    const seat = { game, room, member: newId('m') }
    const joining = { since: null, fixed: null, asks: true, player: playerOf(seat.member), ...over, ...seat }
    return this.seating(seat, (seated) => this.node.join(joining, seated))
  }

  async listen(game: string, room: string, fixed: FixedRoom | null = null, maxListeners = 1_000) {
    const seat = { game, room, member: newId('listener') }
    return this.seating(seat, (seated) => this.node.listen({ ...seat, fixed, maxListeners }, seated))
  }

  /** A refusal is an error here. */
  async sits(sitting: Promise<Sitter | string>): Promise<Sitter> {
    const sitter = await sitting
    if (typeof sitter === 'string') throw new Error(`refused: ${sitter}`)
    return sitter
  }

  async made(game: string, over: Parameters<WatchedNode['create']>[1] = {}): Promise<Sitter> {
    return this.sits(this.create(game, over))
  }

  async joined(game: string, room: string, over: Parameters<WatchedNode['join']>[2] = {}): Promise<Sitter> {
    return this.sits(this.join(game, room, over))
  }

  async leave(sitter: Sitter, reason = 'left'): Promise<boolean> {
    this.sitters.delete(sitter.seat.member)
    return this.node.leave(sitter.seat, reason)
  }

  private async seating(seat: Seat, ask: (seated: (joined: Joined) => void) => Promise<string | null>) {
    const found: Sitter[] = []
    const refusal = await ask((joined) => {
      const sitter = { seat, joined, heard: [] }
      found.push(sitter)
      this.sitters.set(seat.member, sitter)
    })
    if (refusal !== null) {
      expect(found).to.deep.equal([])
      return refusal
    }
    const [sitter] = found
    if (sitter === undefined || found.length > 1) throw new Error(`seated ${found.length} times`)
    return sitter
  }

  private fanOut(event: RoomEvent): void {
    for (const { seat, heard } of this.sitters.values()) {
      if (seat.room !== event.room || seat.game !== event.game) continue
      if (event.type !== 'direct' || event.to === seat.member || event.from === seat.member) heard.push(event)
    }
  }
}

export const messagesOf = ({ heard }: Sitter): Message[] =>
  heard.flatMap((event) => (event.type === 'message' ? [event] : []))

export const seqsOf = (sitter: Sitter): number[] => messagesOf(sitter).map(({ seq }) => seq)
export const memberIds = ({ joined }: Sitter): string[] => joined.members.map(({ member }) => member)
export const upTo = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n)

export async function roomsOf(rooms: Rooms, game: string, fixed: readonly FixedRoom[] = []) {
  return rooms.list({ game, search: '', limit: 100, offset: 0, fixed })
}

/** Lists the game's only room repeatedly until stopped; returns the maximum number of members. */
export function sampled(rooms: Rooms, game: string): { stop(): Promise<number> } {
  let goesOn = true
  const most = (async () => {
    let seen = 0
    for (;;) {
      const isLast = !goesOn
      const { rooms: found } = await roomsOf(rooms, game)
      for (const { members } of found) seen = Math.max(seen, members)
      if (isLast) return seen
      await breathe()
    }
  })()
  return {
    stop: () => {
      goesOn = false
      return most
    },
  }
}
