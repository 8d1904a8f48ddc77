// Short-lived data that may be lost: one-time secrets (a lost one is void), claims for calls in progress, rate
// limits, locks. Times are Unix milliseconds by the caller's clock, except those of locks.

/** Limit of unused values per owner. */
export interface Share {
  readonly owner: string
  readonly max: number
}

/** When a value is stored, and when it expires. */
export interface Lifetime {
  readonly nowMs: number
  readonly expiresMs: number
}

/** A guess at a stored value, such as a code that a player typed. */
export interface Guess {
  readonly value: string
  /** The network address of the guesser. */
  readonly by: string
  /** Wrong guesses from this address after which its further guesses are ignored. */
  readonly maxByAddress: number
  /** Wrong guesses from all addresses, without ignored ones, after which the value is removed. */
  readonly max: number
}

export interface Transient {
  /**
   * Stores a value until `times.expiresMs`, and replaces a value under the same key. Rejects if the store is full. A
   * key begins with its kind and a colon (`challenge:`); each kind has its own capacity. The in-process adapter rejects
   * with ShareFull if `share` is used up; other adapters ignore `share`.
   */
  put(key: string, value: string, times: Lifetime, share?: Share): Promise<void>
  /** Removes and returns the value, or null if it is missing or expired. Of concurrent calls exactly one gets it. */
  take(key: string, nowMs: number): Promise<string | null>
  /**
   * Removes the value if the guess is right; of concurrent calls exactly one returns true. A wrong guess counts against
   * its address and against the total until another value is stored under the key. Ignored guesses do not count, so a
   * single address cannot make others lose their value.
   */
  guess(key: string, guess: Guess, nowMs: number): Promise<boolean>
  /**
   * Claims a key; true for exactly one caller. The claim ends with `release` by the same owner, or at `expiresMs`.
   * Rejects with ClaimsFull if there are too many claims.
   */
  claim(key: string, owner: string, nowMs: number, expiresMs: number): Promise<boolean>
  release(key: string, owner: string): Promise<void>
  /**
   * Takes a lock, or renews one's own, for `forMs` whole milliseconds by the store's clock, so that the clocks of nodes
   * do not matter. Returns false if another owner has it. Rejects with ClaimsFull if there are too many locks.
   */
  lock(key: string, owner: string, forMs: number): Promise<boolean>
  /**
   * Releases one's own lock. Returns false if another owner has it, or released it within the last RELEASED_KEPT_MS: an
   * owner that repeats the call learns that somebody else has had the lock since.
   */
  unlock(key: string, owner: string): Promise<boolean>
}

export const RELEASED_KEPT_MS = 10_000

export interface BucketSpec {
  readonly key: string
  /** Tokens refilled per second; `burst` is the capacity. */
  readonly perSecond: number
  readonly burst: number
}

export interface BucketState {
  /** Whether this bucket had a token; can be true although another bucket of the call refuses. */
  readonly admitted: boolean
  /** Whole tokens left. */
  readonly remaining: number
  /** Milliseconds until the next token; 0 if admitted. */
  readonly retryAfterMs: number
}

export interface Buckets {
  /**
   * Takes one token from each bucket, or from none if one of them is empty. Returns one state per bucket, in order. The
   * keys of one call must differ.
   */
  take(buckets: readonly BucketSpec[], nowMs: number): Promise<BucketState[]>
  /**
   * Takes `tokens` (0 or more) from a bucket, even more than it has. Returns the balance; while it is negative, `take`
   * is refused.
   */
  spend(bucket: BucketSpec, tokens: number, nowMs: number): Promise<number>
}

/**
 * Clocks of nodes differ, and are adjusted, by less than this. An adapter treats a stored time that is further ahead as
 * one of a wrong clock: a bucket refills from the time of the call, and a window removes the attempt.
 */
export const CLOCK_BACK_MAX_MS = 60_000

/** A sliding window that allows a maximum of attempts within any `withinMs`. */
export interface WindowSpec {
  readonly key: string
  readonly max: number
  readonly withinMs: number
}

export interface Windows {
  /**
   * Records an attempt in each window, or in none if one of them is full. Returns for each window, in order, the
   * milliseconds until it has capacity; all 0 means that the attempt was recorded.
   */
  enter(windows: readonly WindowSpec[], attempt: string, nowMs: number): Promise<number[]>
  /** Removes an attempt from the windows, as if it had never been made. */
  leave(windows: readonly WindowSpec[], attempt: string): Promise<void>
}

export interface Rates extends Buckets, Windows {}

/** Levels are in thousandths of a token, so one token per second refills exactly one unit per millisecond. */
export const TOKEN = 1_000
/** Tolerance for rounding: a level that is short of a token by this much counts as a token. */
export const ROUNDING = 1e-6

export const hasToken = (level: number): boolean => level >= TOKEN - ROUNDING

/** Throws a RangeError for a bucket that never has a token. */
export function requireBucket(spec: BucketSpec): BucketSpec {
  if (!(spec.perSecond > 0 && spec.burst >= 1)) throw new RangeError(`Bucket ${spec.key} could never admit anything`)
  return spec
}

/** `level`: before the call; one token was taken if every bucket had one. */
export function stateOf({ perSecond }: BucketSpec, level: number, isAll: boolean): BucketState {
  if (!hasToken(level)) {
    return { admitted: false, remaining: 0, retryAfterMs: Math.ceil((TOKEN - level - ROUNDING) / perSecond) }
  }
  const left = isAll ? Math.max(0, level - TOKEN) : level
  return { admitted: true, remaining: Math.floor((left + ROUNDING) / TOKEN), retryAfterMs: 0 }
}
