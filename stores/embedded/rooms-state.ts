// The state of the rooms in this process: by game, with members, sequence numbers and the last messages.

import type { Joined, Making, MakingRefusal, Member, Message, RoomRecord, Seat } from '../contract/rooms.ts'
import { EMPTY_ROOM_KEPT_MS, ROOM_KEEPS } from '../contract/rooms.ts'
import { caselessName } from '../support/storable.ts'

/** One node from its start until it is dead; members join through it. */
export interface Incarnation<Node> {
  readonly node: Node
  /** By member or listener. */
  readonly seats: Map<string, Room<Node>>
  untilMs: number
}

export interface Sitting<Node> extends Member {
  readonly incarnation: Incarnation<Node>
  /** When its connection was asked whether it answers, by the heartbeat clock; null if it was not, or has answered. */
  askedMs: number | null
}

export interface Room<Node> {
  readonly game: string
  readonly id: string
  name: string
  maxMembers: number
  readonly caseless: string
  readonly listed: boolean
  readonly fixed: boolean
  /** In the order of joining. */
  readonly members: Map<string, Sitting<Node>>
  readonly listeners: Map<string, Incarnation<Node>>
  /** Number of members and listeners on each node. */
  readonly at: Map<Incarnation<Node>, number>
  readonly kept: Message[]
  seq: number
  /** The player and network whose limits the room counts towards. */
  readonly makers: readonly string[]
  /** When its last member left, by the heartbeat clock. */
  emptyMs: number
}

interface GameRooms<Node> {
  /** In the order of creation. */
  readonly rooms: Map<string, Room<Node>>
  made: number
}

export class RoomsState<Node> {
  private readonly games = new Map<string, GameRooms<Node>>()
  /** Fixed rooms without members and listeners, longest empty first. */
  private readonly empty = new Set<Room<Node>>()
  /** Creator -> number of their open rooms. */
  private readonly byMaker = new Map<string, number>()

  find(game: string, room: string): Room<Node> | undefined {
    return this.games.get(game)?.rooms.get(room)
  }

  /** Number of rooms that are not fixed. */
  made(game: string): number {
    return this.games.get(game)?.made ?? 0
  }

  /** The limit that is reached; null if a room can be created. */
  full(making: Making): MakingRefusal | null {
    if (this.made(making.game) >= making.maxRooms) return 'too_many_rooms'
    const { player, network, maxRoomsOfPlayer, maxRoomsOfNetwork } = making
    if (player !== null && this.openOf(playerMaker(player.id)) >= maxRoomsOfPlayer) return 'too_many_rooms_of_player'
    const ofNetwork = network === null ? 0 : this.openOf(networkMaker(network))
    return network !== null && ofNetwork >= maxRoomsOfNetwork ? 'too_many_rooms_of_network' : null
  }

  private openOf(maker: string): number {
    return this.byMaker.get(maker) ?? 0
  }

  /** Rooms that are not fixed, in the order of creation. */
  madeRooms(game: string): Room<Node>[] {
    return [...(this.games.get(game)?.rooms.values() ?? [])].filter(({ fixed }) => !fixed)
  }

  make(making: Making): Room<Node> {
    const { game, room: id, name, maxMembers, listed } = making
    const ofGame = this.gameOf(game)
    ofGame.made++
    const caseless = caselessName(name)
    const makers = makersOf(making)
    for (const maker of makers) this.byMaker.set(maker, this.openOf(maker) + 1)
    const room = { ...bare<Node>(), game, id, name, maxMembers, caseless, listed, fixed: false, seq: 0, makers }
    ofGame.rooms.set(id, room)
    return room
  }

  /** The fixed room from the game's settings; created if missing, with `seq` starting at `nowMs`. */
  fixed({ game, room: id }: Pick<Seat, 'game' | 'room'>, name: string, maxMembers: number, nowMs: number): Room<Node> {
    const { rooms } = this.gameOf(game)
    let room = rooms.get(id)
    if (room === undefined) {
      room = {
        ...bare<Node>(),
        game,
        id,
        name,
        maxMembers,
        caseless: '',
        listed: false,
        fixed: true,
        seq: nowMs,
        makers: [],
      }
      rooms.set(id, room)
    }
    room.name = name
    room.maxMembers = maxMembers
    return room
  }

  sit(room: Room<Node>, { member, player }: Member, incarnation: Incarnation<Node>): void {
    room.members.set(member, { member, player, incarnation, askedMs: null })
    this.enter(room, member, incarnation)
  }

  listen(room: Room<Node>, listener: string, incarnation: Incarnation<Node>): void {
    room.listeners.set(listener, incarnation)
    this.enter(room, listener, incarnation)
  }

  private enter(room: Room<Node>, id: string, incarnation: Incarnation<Node>): void {
    room.at.set(incarnation, (room.at.get(incarnation) ?? 0) + 1)
    incarnation.seats.set(id, room)
    this.empty.delete(room)
  }

  /** Removes a member or a listener. A room that is not fixed ends with its last member: then returns true. */
  remove(room: Room<Node>, id: string, incarnation: Incarnation<Node>, nowMs: number): boolean {
    const wasMember = this.unseat(room, id, incarnation)
    if (room.members.size > 0) return false
    if (!room.fixed) {
      if (wasMember) this.end(room)
      return wasMember
    }
    if (room.listeners.size > 0) return false
    room.emptyMs = nowMs
    this.empty.add(room)
    return false
  }

  /** Removes a member or a listener; the room stays. Returns whether it was a member. */
  unseat(room: Room<Node>, id: string, incarnation: Incarnation<Node>): boolean {
    const wasMember = room.members.delete(id)
    room.listeners.delete(id)
    incarnation.seats.delete(id)
    const left = (room.at.get(incarnation) ?? 0) - 1
    if (left > 0) room.at.set(incarnation, left)
    else room.at.delete(incarnation)
    return wasMember
  }

  /** Removes fixed rooms that have been empty for too long. */
  forget(nowMs: number): void {
    for (const room of this.empty) {
      if (room.emptyMs + EMPTY_ROOM_KEPT_MS > nowMs) return
      this.empty.delete(room)
      this.end(room)
    }
  }

  /** The game's fixed rooms without members. */
  forgetGame(game: string): void {
    for (const room of [...(this.games.get(game)?.rooms.values() ?? [])]) {
      if (this.empty.delete(room)) this.end(room)
    }
  }

  private gameOf(game: string): GameRooms<Node> {
    let ofGame = this.games.get(game)
    if (ofGame === undefined) {
      ofGame = { rooms: new Map(), made: 0 }
      this.games.set(game, ofGame)
    }
    return ofGame
  }

  private end({ game, id, fixed, makers }: Room<Node>): void {
    for (const maker of makers) {
      const left = this.openOf(maker) - 1
      if (left > 0) this.byMaker.set(maker, left)
      else this.byMaker.delete(maker)
    }
    const ofGame = this.gameOf(game)
    ofGame.rooms.delete(id)
    if (!fixed) ofGame.made--
    if (ofGame.rooms.size === 0) this.games.delete(game)
  }
}

const playerMaker = (player: string): string => `player ${player}`
const networkMaker = (network: string): string => `network ${network}`

function makersOf({ player, network }: Making): string[] {
  const ofPlayer = player === null ? [] : [playerMaker(player.id)]
  return network === null ? ofPlayer : [...ofPlayer, networkMaker(network)]
}

function bare<Node>() {
  return {
    members: new Map<string, Sitting<Node>>(),
    listeners: new Map<string, Incarnation<Node>>(),
    at: new Map<Incarnation<Node>, number>(),
    kept: [] as Message[],
    emptyMs: 0,
  }
}

export function keepMessage({ kept }: Room<unknown>, message: Message): void {
  if (kept.push(message) > ROOM_KEEPS) kept.shift()
}

export function recordOf({ id, name, members, maxMembers, fixed }: Room<unknown>): RoomRecord {
  return { id, name, members: members.size, max_members: maxMembers, fixed }
}

/** The seats of a player, in the order of joining; none for nobody. */
export const seatsOf = <Node>({ members }: Room<Node>, player: Member['player']): Sitting<Node>[] =>
  player === null ? [] : [...members.values()].filter((one) => one.player?.id === player.id)

export const membersOf = ({ members }: Room<unknown>): Member[] =>
  [...members.values()].map(({ member, player }) => ({ member, player }))

export function joinedOf(room: Room<unknown>, since: number | null): Joined {
  const missed = since === null ? null : missedOf(room, since)
  return { room: recordOf(room), members: membersOf(room), seq: room.seq, missed }
}

function missedOf({ kept, seq }: Room<unknown>, since: number): Message[] | null {
  const count = seq - since
  if (count < 0 || count > kept.length) return null
  const missed = kept.slice(kept.length - count)
  return missed.map(({ from, data, seq: at, sentAtMs }) => ({ from, data, seq: at, sentAtMs }))
}
