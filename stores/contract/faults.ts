// What goes wrong with a store as a whole: it cannot be used as it is, or it does not answer.

/** Stores that cannot be used as they are; the message says which and what to do. */
export class StoresFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoresFault'
  }
}

/** Another process, or another opening in this one, has the data folder open; the message names the file. */
export class FolderInUse extends StoresFault {
  constructor(path: string, cause: unknown) {
    super(`${path} is in use: another process has this data folder open`, cause)
    this.name = 'FolderInUse'
  }
}

/**
 * A store does not answer: whether what was asked took effect is unknown, and asking again is safe. The message is the
 * operator's.
 */
export class StoreAway extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreAway'
  }
}

/** One owner holds as many one-time secrets as they may. */
export class ShareFull extends Error {
  constructor(most: number) {
    super(`${most} one-time secrets of one owner wait to be used`)
    this.name = 'ShareFull'
  }
}

/** The store holds as many marks of calls in progress as it may. */
export class MarksFull extends Error {
  constructor(max: number) {
    super(`No room for another call in progress: ${max} are`)
    this.name = 'MarksFull'
  }
}
