// Errors of a store as a whole: it cannot be used, does not answer, or is full.

/** The stores cannot be used as they are. The message says which one and what the operator should do. */
export class StoresFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoresFault'
  }
}

/** The data folder is already open, in another process or in this one. The message names the file. */
export class FolderInUse extends StoresFault {
  constructor(path: string, cause: unknown) {
    super(`${path} is in use: another process has this data folder open`, cause)
    this.name = 'FolderInUse'
  }
}

/**
 * A store does not answer. It is unknown whether the call took effect; a retry is safe. The message is for the
 * operator.
 */
export class StoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreUnavailable'
  }
}

export class ShareFull extends Error {
  constructor(max: number) {
    super(`One owner may have at most ${max} unused one-time secrets`)
    this.name = 'ShareFull'
  }
}

export class ClaimsFull extends Error {
  constructor(max: number) {
    super(`Too many calls in progress: the limit is ${max}`)
    this.name = 'ClaimsFull'
  }
}
