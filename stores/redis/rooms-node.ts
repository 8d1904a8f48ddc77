// This process as a room node in Redis: an incarnation that its members belong to, and the reader of its inbox. If
// Redis does not know the incarnation any more, its seats are lost, and the node starts another one.

import { randomUUID } from 'node:crypto'
import { StoreAway } from '../contract/faults.ts'
import type { Hearing, Joining, Making, MakingRefusal, RoomsNode, Seat, Seated } from '../contract/rooms.ts'
import { foldedName } from '../support/folded-name.ts'
import type { Reply } from './client.ts'
import { RedisAway } from './errors.ts'
import type { Redis } from './redis.ts'
import { listOf, numberOf, wordOf } from './replies.ts'
import { BEAT } from './rooms-beat.ts'
import { GONE } from './rooms-common.ts'
import { foundOf } from './rooms-entries.ts'
import { forgetEarlier, roomsBase } from './rooms-epochs.ts'
import { followInbox } from './rooms-follow.ts'
import { createLife, type Life, Sitting } from './rooms-life.ts'
import { CREATE, JOIN, LEAVE, SEND, SEND_TO } from './rooms-scripts.ts'
import type { Script } from './script.ts'

export interface NodeOptions {
  readonly redis: Redis
  /** Opens a connection for a life to wait on. */
  readonly connect: () => Promise<Redis>
  readonly namespace: string
  readonly deadMs: number
  readonly hearing: Hearing
}

/** A script that takes a seat, what it is asked with beside that, and by which words it refuses. */
interface Sitdown<Refusal extends string> {
  readonly script: Script
  readonly seat: Joining | Making
  readonly fixed: boolean
  readonly words: readonly string[]
  readonly refusals: readonly Refusal[]
}

const refOf = ({ game, room }: Seat): string => `${game}/${room}`

export class RedisRoomsNode implements RoomsNode {
  private readonly options: NodeOptions
  private life: Life | null = null
  private entering: Promise<Life> | null = null
  /** Lives of this node whose seats may still be there. */
  private readonly ended = new Set<string>()
  private closed = false

  constructor(options: NodeOptions) {
    this.options = options
  }

  async beat(): Promise<void> {
    const life = await this.alive()
    await this.beatAs(life.id, 'beat')
    for (const [member, { ref, reason }] of life.leavings) {
      await this.ask(life, LEAVE, [ref, member, reason])
      life.leavings.delete(member)
    }
    for (const id of this.ended) {
      await this.beatAs(id, 'close')
      this.ended.delete(id)
    }
    await forgetEarlier(this.options.redis, this.options.namespace)
  }

  async create(making: Making, seated: Seated): Promise<MakingRefusal | null> {
    const { name, maxMembers, listed, maxRooms, player, maxRoomsOfPlayer, network, maxRoomsOfNetwork } = making
    const room = [name, String(maxMembers), listed ? '1' : '0', foldedName(name), String(maxRooms)]
    const makers = [player?.id ?? '', String(maxRoomsOfPlayer), network ?? '', String(maxRoomsOfNetwork)]
    const refusals = ['too_many_rooms', 'too_many_rooms_of_player', 'too_many_rooms_of_network'] as const
    return this.sit({ script: CREATE, seat: making, fixed: false, words: [...room, ...makers], refusals }, seated)
  }

  async join(joining: Joining, seated: Seated): Promise<'room_not_found' | 'room_full' | null> {
    const { since, fixed } = joining
    const ofFixed = fixed === null ? ['', ''] : [fixed.name, String(fixed.max_members)]
    const words = [since === null ? '' : String(since), ...ofFixed]
    const refusals = ['room_not_found', 'room_full'] as const
    return this.sit({ script: JOIN, seat: joining, fixed: fixed !== null, words, refusals }, seated)
  }

  async leave(seat: Seat, reason: string): Promise<boolean> {
    const life = await this.alive()
    try {
      return (await this.ask(life, LEAVE, [refOf(seat), seat.member, reason])) === 1
    } catch (failure) {
      if (failure instanceof StoreAway) life.leavings.set(seat.member, { ref: refOf(seat), reason })
      throw failure
    }
  }

  async send(seat: Seat, data: string) {
    const life = this.life ?? (await this.alive())
    const reply = await this.ask(life, SEND, [refOf(seat), seat.member, data])
    const [answer, seq, sentAt] = listOf(reply)
    if (answer === 'sent') return { seq: numberOf(seq), sentAtMs: numberOf(sentAt) }
    return wordOf(answer, 'not_in_room')
  }

  async sendTo(seat: Seat, to: string, data: string) {
    const life = this.life ?? (await this.alive())
    const reply = await this.ask(life, SEND_TO, [refOf(seat), seat.member, data, to])
    const [answer, sentAt] = listOf(reply)
    if (answer === 'sent') return { sentAtMs: numberOf(sentAt) }
    return wordOf(answer, 'not_in_room', 'member_not_found')
  }

  async close(): Promise<void> {
    this.abandon()
    for (const id of this.ended) await this.beatAs(id, 'close')
    this.ended.clear()
  }

  /** Closes it in this process alone: in Redis it is dead after a while. */
  abandon(): void {
    this.closed = true
    if (this.life === null) return
    this.ended.add(this.life.id)
    this.life.end(closedFault())
    this.life = null
  }

  /**
   * Takes a seat: it counts from where the inbox says that it was taken, and is given up
   * where nobody waits for it then.
   */
  private async sit<Refusal extends string>(
    { script, seat, fixed, words, refusals }: Sitdown<Refusal>,
    seated: Seated,
  ): Promise<Refusal | null> {
    const life = await this.alive()
    const sitting = new Sitting({ id: seat.room, fixed }, seated)
    life.sittings.set(seat.member, sitting)
    try {
      const args = [refOf(seat), seat.member, JSON.stringify(seat.player), ...words]
      const [answer, ...rest] = listOf(await this.ask(life, script, args))
      if (answer !== 'joined') {
        sitting.giveUp()
        return wordOf(answer, ...refusals)
      }
      sitting.answer(foundOf(rest))
    } catch (failure) {
      sitting.giveUp()
      throw failure
    } finally {
      if (sitting.isGivenUp) life.sittings.delete(seat.member)
    }
    await sitting.taken
    return null
  }

  /** Rejects where that life is over. */
  private async ask(life: Life, script: Script, args: readonly string[]): Promise<Reply> {
    const { redis, namespace } = this.options
    const reply = await redis.use(({ epoch, run }) => run(script, [roomsBase(namespace, epoch)], [life.id, ...args]))
    if (reply === GONE || (Array.isArray(reply) && reply[0] === GONE)) {
      this.lose(life, 'Redis knows it no more: it was silent for too long, or Redis was emptied or restarted')
      throw new StoreAway('This node has lost its seats in rooms. It goes on without.')
    }
    if (this.life !== life) throw new StoreAway('This node has lost its seats in rooms. It goes on without.')
    return reply
  }

  private async beatAs(id: string, what: 'enter' | 'beat' | 'close'): Promise<string> {
    const { redis, namespace, deadMs } = this.options
    for (;;) {
      const [epoch, reply] = await redis.use(async ({ epoch: server, run }) => {
        const answer = await run(BEAT, [roomsBase(namespace, server)], [id, what, String(deadMs)])
        return [server, answer] as const
      })
      if (reply === GONE && this.life?.id === id) this.lose(this.life, 'Redis knows it no more')
      if (reply !== 1) return epoch
    }
  }

  private async alive(): Promise<Life> {
    if (this.closed) throw closedFault()
    if (this.life !== null) return this.life
    this.entering ??= this.enter().finally(() => {
      this.entering = null
    })
    return this.entering
  }

  private async enter(): Promise<Life> {
    const { redis, connect, namespace, hearing } = this.options
    const id = randomUUID()
    this.ended.add(id)
    await forgetEarlier(redis, namespace)
    // Redis knows these before the first is meant: one that has to be sent again as text could come after the next. Of
    // a life that is not there they do nothing.
    for (const one of [SEND, SEND_TO]) {
      await redis.use(({ epoch, run }) => run(one, [roomsBase(namespace, epoch)], [id, '', '', '', '']))
    }
    const reader = await connect().catch(() => {
      throw new RedisAway(redis.shown, 'a node of rooms could not open another connection to it')
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
    const life = createLife(id, reader)
    this.life = life
    const inbox = { epoch, base: roomsBase(namespace, epoch), life: id }
    const giveUp = (ref: string, member: string) => {
      life.leavings.set(member, { ref, reason: 'join_failed' })
      this.ask(life, LEAVE, [ref, member, 'join_failed']).then(
        () => life.leavings.delete(member),
        () => {},
      )
    }
    void followInbox({ reader, inbox, life, hearing, giveUp }).then((why) => this.lose(life, why))
    return life
  }

  /** The life is over, as far as this node goes: what is left of it in Redis is cleared away. */
  private lose(life: Life, why: string): void {
    if (this.life !== life) return
    this.life = null
    this.ended.add(life.id)
    life.end(new StoreAway(`This node has lost its seats in rooms: ${why}. It goes on without.`))
    this.options.hearing.lost(why)
  }
}

const closedFault = () => new StoreAway('This node of rooms is closed.')
