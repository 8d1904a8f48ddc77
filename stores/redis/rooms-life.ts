// What a node of rooms in Redis keeps in this process for as long as it lives there: who is just sitting down, and who is
// still to be taken away.

import type { Joined, Seated } from '../contract/rooms.ts'

/** One that sits down: Redis answers what it finds, and the inbox says when. Either may come first. */
export class Sitting {
  readonly seated: Seated
  /** What it finds, or null where it was refused or not answered. */
  readonly answered: Promise<Joined | null>
  /** Resolves once it sits. */
  readonly taken: Promise<void>
  isGivenUp = false
  private resolveAnswer: (joined: Joined | null) => void = () => {}
  private resolveTaken: () => void = () => {}
  private rejectTaken: (why: Error) => void = () => {}

  constructor(seated: Seated) {
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

  answer(joined: Joined): void {
    this.resolveAnswer(joined)
  }

  giveUp(): void {
    this.isGivenUp = true
    this.resolveAnswer(null)
  }

  take(joined: Joined): void {
    this.seated(joined)
    this.resolveTaken()
  }

  fail(why: Error): void {
    this.giveUp()
    this.rejectTaken(why)
  }
}

export interface Life {
  readonly id: string
  /** By member. */
  readonly sittings: Map<string, Sitting>
  /** By member: whose leaving Redis has not confirmed. */
  readonly leavings: Map<string, { readonly ref: string; readonly reason: string }>
  readonly isOver: boolean
  end(why: Error): void
}

export function createLife(id: string): Life {
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
      for (const sitting of sittings.values()) sitting.fail(why)
      sittings.clear()
    },
  }
}
