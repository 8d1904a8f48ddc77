// What one incarnation of a room node keeps in this process: the joins in progress, and the members still to be
// removed.

import type { Member, RoomRecord, Seated } from '../contract/rooms.ts'
import type { Redis } from './redis.ts'
import type { Found } from './rooms-entries.ts'

/** A join in progress: the reply has the state of the room, and the inbox its position. Either may come first. */
export class Sitting {
  private readonly seated: Seated
  private readonly room: Pick<RoomRecord, 'id' | 'fixed'>
  /** The state of the room; null if the join was refused or not answered. */
  readonly answered: Promise<Found | null>
  /** Resolves when the member has joined. */
  readonly taken: Promise<void>
  isGivenUp = false
  private resolveAnswer: (found: Found | null) => void = () => {}
  private resolveTaken: () => void = () => {}
  private rejectTaken: (cause: Error) => void = () => {}

  constructor(room: Pick<RoomRecord, 'id' | 'fixed'>, seated: Seated) {
    this.room = room
    this.seated = seated
    this.answered = new Promise((resolve) => {
      this.resolveAnswer = resolve
    })
    this.taken = new Promise((resolve, reject) => {
      this.resolveTaken = resolve
      this.rejectTaken = reject
    })
    // A refused join has no waiter.
    this.taken.catch(() => {})
  }

  answer(found: Found): void {
    this.resolveAnswer(found)
  }

  giveUp(): void {
    this.isGivenUp = true
    this.resolveAnswer(null)
  }

  take({ name, maxMembers, seq, missed }: Found, members: readonly Member[]): void {
    const room = { ...this.room, name, members: members.length, max_members: maxMembers }
    this.seated({ room, members, seq, missed })
    this.resolveTaken()
  }

  fail(cause: Error): void {
    this.giveUp()
    this.rejectTaken(cause)
  }
}

export interface Incarnation {
  readonly id: string
  /** By member. */
  readonly sittings: Map<string, Sitting>
  /** By member: leaves that Redis has not confirmed. */
  readonly leavings: Map<string, { readonly ref: string; readonly reason: string }>
  readonly isOver: boolean
  end(cause: Error): void
}

/** `reader` is owned by the incarnation and closed with it. */
export function createIncarnation(id: string, reader: Redis): Incarnation {
  const sittings = new Map<string, Sitting>()
  let isOver = false
  return {
    id,
    sittings,
    leavings: new Map(),
    get isOver() {
      return isOver
    },
    end(cause) {
      isOver = true
      reader.close()
      for (const sitting of sittings.values()) sitting.fail(cause)
      sittings.clear()
    },
  }
}
