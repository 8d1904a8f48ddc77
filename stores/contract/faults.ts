// What goes wrong with a store as a whole: it cannot be used as it is, or it does not answer.

/** Stores that cannot be used as they are; the message says which and what to do. */
export class StoresFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoresFault'
  }
}

/** A store does not answer: whether what was asked took effect is unknown, and asking again is safe. The message is the operator's. */
export class StoreAway extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreAway'
  }
}
