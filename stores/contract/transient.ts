// What lives for seconds and may be lost: one-time secrets (a lost one is void, never valid again), marks of calls in
// progress, token buckets. Times are Unix milliseconds by the caller's clock.

/** Values of one owner that may wait at once. */
export interface Share {
  readonly owner: string
  readonly most: number
}

/** When a value is put, and when it ends. */
export interface Lifetime {
  readonly nowMs: number
  readonly expiresMs: number
}

/** What somebody takes a value to be. */
export interface Guess {
  readonly value: string
  /** Who guesses: a network address. */
  readonly by: string
  /** After so many wrong guesses of theirs no guess of theirs is looked at. */
  readonly mostBy: number
  /** After so many wrong guesses that were looked at, of all, the value is taken away. */
  readonly most: number
}

export interface Transient {
  /**
   * Stores a value until `times.expiresMs`; a value under the same key is replaced. Rejects where there is no room for it. Keys
   * begin with their kind and a colon (`challenge:`): one kind never takes the room of another. An adapter that holds
   * values in this process rejects with ShareFull where `share` is used up; others pass over it.
   */
  put(key: string, value: string, times: Lifetime, share?: Share): Promise<void>
  /** Takes the value away and answers it, or null where it is gone or expired. Of any number of racers one gets it. */
  take(key: string, nowMs: number): Promise<string | null>
  /**
   * Takes the value away where it is this one: true for one of any number of racers. A wrong guess counts against who
   * made it and against all, until another value is put under the key. A guess that is not looked at does not count, so
   * that nobody can take away a value of others alone.
   */
  guess(key: string, guess: Guess, nowMs: number): Promise<boolean>
  /**
   * True for the one caller who gets the mark; it ends by `release` with the same owner, or by itself at `expiresMs`.
   * Rejects with MarksFull where it holds as many as it may.
   */
  claim(key: string, owner: string, nowMs: number, expiresMs: number): Promise<boolean>
  release(key: string, owner: string): Promise<void>
}

export interface BucketSpec {
  readonly key: string
  /** Tokens that come back each second, and the most it holds. */
  readonly perSecond: number
  readonly burst: number
}

export interface BucketState {
  /** Whether this bucket had a token; true also where another one of the call refuses. */
  readonly admitted: boolean
  /** Whole tokens left. */
  readonly remaining: number
  /** Milliseconds until one more token is there; 0 when admitted. */
  readonly retryAfterMs: number
}

export interface Buckets {
  /**
   * Takes one token from each bucket, or from none where one of them is empty. One state per bucket, in order; the keys
   * of one call differ.
   */
  take(buckets: readonly BucketSpec[], nowMs: number): Promise<BucketState[]>
  /**
   * Takes so many tokens (0 or more) from a bucket, also more than it has. Answers how many are left, below 0 where it
   * owes some: then `take` is refused until it has one again.
   */
  spend(bucket: BucketSpec, tokens: number, nowMs: number): Promise<number>
}

/** At most so many attempts within any such time. */
export interface WindowSpec {
  readonly key: string
  readonly most: number
  readonly withinMs: number
}

export interface Windows {
  /**
   * Takes a place in each window for an attempt, or in none where one of them is full. Answers for each window, in
   * order, how many milliseconds until it has a place: 0 where it has one, all 0 where the places were taken.
   */
  enter(windows: readonly WindowSpec[], attempt: string, nowMs: number): Promise<number[]>
  /** Gives an attempt's places back: it is as if it had never been. */
  leave(windows: readonly WindowSpec[], attempt: string): Promise<void>
}

export interface Rates extends Buckets, Windows {}
