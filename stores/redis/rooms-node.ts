// This process as a room node in Redis: an incarnation that its members belong to, and the reader of its inbox. If
// Redis no longer has the incarnation, its seats are lost, and the node starts another one.

import { randomUUID } from 'node:crypto'
import { StoreUnavailable } from '../contract/faults.ts'
import type {
  Hearing,
  Joining,
  JoinRefusal,
  Listening,
  Making,
  MakingRefusal,
  RoomsNode,
  Seat,
  Seated,
} from '../contract/rooms.ts'
import { caselessName } from '../support/storable.ts'
import { listOf, numberOf, type Reply, type Script, wordOf } from './client.ts'
import { RedisUnavailable } from './errors.ts'
import type { Redis } from './redis.ts'
import { forgetEarlier, GONE, roomsBase } from './rooms-common.ts'
import { foundOf } from './rooms-entries.ts'
import { followInbox } from './rooms-follow.ts'
import { createIncarnation, type Incarnation, Sitting } from './rooms-incarnation.ts'
import { ANSWERED, BEAT, CREATE, JOIN, LEAVE, LISTEN, SEND, SEND_TO } from './rooms-scripts.ts'

interface NodeOptions {
  readonly redis: Redis
  /** Opens a connection for blocking reads of an incarnation. */
  readonly connect: () => Promise<Redis>
  readonly namespace: string
  readonly deadMs: number
  readonly hearing: Hearing
}

/** A script that enters a room, its arguments after the member, and its refusals. */
interface Sitdown<Refusal extends string> {
  readonly script: Script
  readonly seat: Seat
  readonly fixed: boolean
  readonly words: readonly string[]
  readonly refusals: readonly Refusal[]
}

const refOf = ({ game, room }: Seat): string => `${game}/${room}`

export class RedisRoomsNode implements RoomsNode {
  private readonly options: NodeOptions
  private incarnation: Incarnation | null = null
  private entering: Promise<Incarnation> | null = null
  /** Incarnations of this node whose seats may still exist in Redis. */
  private readonly ended = new Set<string>()
  private closed = false

  constructor(options: NodeOptions) {
    this.options = options
  }

  async heartbeat(): Promise<void> {
    const incarnation = await this.alive()
    await this.beatAs(incarnation.id, 'beat')
    for (const [member, { ref, reason }] of incarnation.leavings) {
      await this.ask(incarnation, LEAVE, [ref, member, reason])
      incarnation.leavings.delete(member)
    }
    for (const id of this.ended) {
      await this.beatAs(id, 'close')
      this.ended.delete(id)
    }
    await forgetEarlier(this.options.redis, this.options.namespace)
  }

  async create(making: Making, seated: Seated): Promise<MakingRefusal | null> {
    const { name, maxMembers, listed, maxRooms, player, maxRoomsOfPlayer, network, maxRoomsOfNetwork } = making
    const room = [name, String(maxMembers), listed ? '1' : '0', caselessName(name), String(maxRooms)]
    const makers = [player?.id ?? '', String(maxRoomsOfPlayer), network ?? '', String(maxRoomsOfNetwork)]
    const refusals = ['too_many_rooms', 'too_many_rooms_of_player', 'too_many_rooms_of_network'] as const
    const words = [JSON.stringify(player), ...room, ...makers]
    return this.sit({ script: CREATE, seat: making, fixed: false, words, refusals }, seated)
  }

  async join(joining: Joining, seated: Seated): Promise<JoinRefusal | 'seats_asked' | null> {
    const { player, since, fixed, asks } = joining
    const words = [JSON.stringify(player), since === null ? '' : String(since), ...wordsOf(fixed), asks ? '1' : '']
    const refusals = ['room_not_found', 'room_full', 'seats_asked'] as const
    return this.sit({ script: JOIN, seat: joining, fixed: fixed !== null, words, refusals }, seated)
  }

  async answered(seat: Seat): Promise<void> {
    const incarnation = await this.alive()
    await this.ask(incarnation, ANSWERED, [refOf(seat), seat.member])
  }

  async listen(listening: Listening, seated: Seated) {
    const { fixed, maxListeners } = listening
    const refusals = ['room_not_found', 'too_many_listeners'] as const
    const words = [...wordsOf(fixed), String(maxListeners)]
    return this.sit({ script: LISTEN, seat: listening, fixed: fixed !== null, words, refusals }, seated)
  }

  async leave(seat: Seat, reason: string): Promise<boolean> {
    const incarnation = await this.alive()
    try {
      return (await this.ask(incarnation, LEAVE, [refOf(seat), seat.member, reason])) === 1
    } catch (failure) {
      if (failure instanceof StoreUnavailable) incarnation.leavings.set(seat.member, { ref: refOf(seat), reason })
      throw failure
    }
  }

  async send(seat: Seat, data: string) {
    const incarnation = this.incarnation ?? (await this.alive())
    const reply = await this.ask(incarnation, SEND, [refOf(seat), seat.member, data])
    const [answer, seq, sentAt] = listOf(reply)
    if (answer === 'sent') return { seq: numberOf(seq), sentAtMs: numberOf(sentAt) }
    return wordOf(answer, 'not_in_room')
  }

  async sendTo(seat: Seat, to: string, data: string) {
    const incarnation = this.incarnation ?? (await this.alive())
    const reply = await this.ask(incarnation, SEND_TO, [refOf(seat), seat.member, data, to])
    const [answer, sentAt] = listOf(reply)
    if (answer === 'sent') return { sentAtMs: numberOf(sentAt) }
    return wordOf(answer, 'not_in_room', 'member_not_found')
  }

  async close(): Promise<void> {
    this.abandon()
    for (const id of this.ended) await this.beatAs(id, 'close')
    this.ended.clear()
  }

  /** Closes it in this process only; in Redis it expires. */
  abandon(): void {
    this.closed = true
    if (this.incarnation === null) return
    this.ended.add(this.incarnation.id)
    this.incarnation.end(closedFault())
    this.incarnation = null
  }

  /** Joins a room. The join takes effect at its entry in the inbox, and is undone if no caller waits for it then. */
  private async sit<Refusal extends string>(
    { script, seat, fixed, words, refusals }: Sitdown<Refusal>,
    seated: Seated,
  ): Promise<Refusal | null> {
    const incarnation = await this.alive()
    const sitting = new Sitting({ id: seat.room, fixed }, seated)
    incarnation.sittings.set(seat.member, sitting)
    try {
      const args = [refOf(seat), seat.member, ...words]
      const [answer, ...rest] = listOf(await this.ask(incarnation, script, args))
      if (answer !== 'joined') {
        sitting.giveUp()
        return wordOf(answer, ...refusals)
      }
      sitting.answer(foundOf(rest))
    } catch (failure) {
      sitting.giveUp()
      throw failure
    } finally {
      if (sitting.isGivenUp) incarnation.sittings.delete(seat.member)
    }
    await sitting.taken
    return null
  }

  /** Rejects if the incarnation is over. */
  private async ask(incarnation: Incarnation, script: Script, args: readonly string[]): Promise<Reply> {
    const { redis, namespace } = this.options
    const reply = await redis.use(({ epoch, run }) =>
      run(script, [roomsBase(namespace, epoch)], [incarnation.id, ...args]),
    )
    if (reply === GONE || (Array.isArray(reply) && reply[0] === GONE)) {
      this.lose(incarnation, 'Redis has no seats of it: it was silent for too long, or Redis was emptied or restarted')
      throw new StoreUnavailable('This node has lost its seats in rooms. Clients must connect again.')
    }
    if (this.incarnation !== incarnation)
      throw new StoreUnavailable('This node has lost its seats in rooms. Clients must connect again.')
    return reply
  }

  private async beatAs(id: string, what: 'enter' | 'beat' | 'close'): Promise<string> {
    const { redis, namespace, deadMs } = this.options
    for (;;) {
      const [epoch, reply] = await redis.use(async ({ epoch: server, run }) => {
        const answer = await run(BEAT, [roomsBase(namespace, server)], [id, what, String(deadMs)])
        return [server, answer] as const
      })
      if (reply === GONE && this.incarnation?.id === id) this.lose(this.incarnation, 'Redis has no seats of it')
      if (reply !== 1) return epoch
    }
  }

  private async alive(): Promise<Incarnation> {
    if (this.closed) throw closedFault()
    if (this.incarnation !== null) return this.incarnation
    this.entering ??= this.enter().finally(() => {
      this.entering = null
    })
    return this.entering
  }

  private async enter(): Promise<Incarnation> {
    const { redis, connect, namespace, hearing } = this.options
    const id = randomUUID()
    this.ended.add(id)
    await forgetEarlier(redis, namespace)
    // Load these scripts in advance: one that is resent as text could run after the next call. For an unknown
    // incarnation they do nothing.
    for (const one of [SEND, SEND_TO]) {
      await redis.use(({ epoch, run }) => run(one, [roomsBase(namespace, epoch)], [id, '', '', '', '']))
    }
    const reader = await connect().catch(() => {
      throw new RedisUnavailable(redis.shown, 'a node of rooms could not open another connection to it')
    })
    const epoch = await this.beatAs(id, 'enter').catch((failure) => {
      reader.close()
      throw failure
    })
    if (this.closed) {
      reader.close()
      throw closedFault()
    }
    this.ended.delete(id)
    const incarnation = createIncarnation(id, reader)
    this.incarnation = incarnation
    const inbox = { epoch, base: roomsBase(namespace, epoch), incarnation: id }
    const giveUp = (ref: string, member: string) => {
      incarnation.leavings.set(member, { ref, reason: 'join_failed' })
      this.ask(incarnation, LEAVE, [ref, member, 'join_failed']).then(
        () => incarnation.leavings.delete(member),
        () => {},
      )
    }
    void followInbox({ reader, inbox, incarnation, hearing, giveUp }).then((cause) => this.lose(incarnation, cause))
    return incarnation
  }

  /** Ends the incarnation for this node; its state in Redis is removed later. */
  private lose(incarnation: Incarnation, cause: string): void {
    if (this.incarnation !== incarnation) return
    this.incarnation = null
    this.ended.add(incarnation.id)
    incarnation.end(
      new StoreUnavailable(`This node has lost its seats in rooms: ${cause}. Clients must connect again.`),
    )
    this.options.hearing.lost(cause)
  }
}

/** Name and limit of a fixed room, or empty texts. */
const wordsOf = (fixed: Joining['fixed']): readonly string[] =>
  fixed === null ? ['', ''] : [fixed.name, String(fixed.max_members)]

const closedFault = () => new StoreUnavailable('This node of rooms is closed.')
