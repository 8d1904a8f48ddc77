// What one incarnation of a room node keeps in this process: the joins in progress, and the members still to be
// removed.

import type { Member, RoomRecord, Seated } from '../contract/rooms.ts'
import type { Redis } from './redis.ts'
import type { Found } from './rooms-entries.ts'

/** One that sits down: Redis answers what it finds, and the inbox says when. Either may come first. */
export class Sitting {
  private readonly seated: Seated
  private readonly room: Pick<RoomRecord, 'id' | 'fixed'>
  /** What it finds, or null where it was refused or not answered. */
  readonly answered: Promise<Found | null>
  /** Resolves once it sits. */
  readonly taken: Promise<void>
  isGivenUp = false
  private resolveAnswer: (found: Found | null) => void = () => {}
  private resolveTaken: () => void = () => {}
  private rejectTaken: (why: Error) => void = () => {}

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
    // Where it is refused nobody asks.
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

  fail(why: Error): void {
    this.giveUp()
    this.rejectTaken(why)
  }
}

export interface Incarnation {
  readonly id: string
  /** By member. */
  readonly sittings: Map<string, Sitting>
  /** By member: whose leaving Redis has not confirmed. */
  readonly leavings: Map<string, { readonly ref: string; readonly reason: string }>
  readonly isOver: boolean
  end(why: Error): void
}

/** `reader` is its own, closed with it. */
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
    end(why) {
      isOver = true
      reader.close()
      for (const sitting of sittings.values()) sitting.fail(why)
      sittings.clear()
    },
  }
}
