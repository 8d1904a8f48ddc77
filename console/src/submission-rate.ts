// How many submissions a game got in the last minute. Reads those of the minute once, and then those after the last
// one.

import type { Api } from './api.ts'

const MINUTE_MS = 60_000
/** Submissions per read: of more, the first are counted and the rest is estimated. */
const READ_MAX = 2_000

interface Rate {
  readonly perMinute: number
  readonly isEstimate: boolean
}

interface Submission {
  readonly position: string
  readonly time: string
}

/** One read at a time. */
export class SubmissionRate {
  readonly #api: Pick<Api, 'eventsOnce'>
  readonly #game: string
  /** Those of the minute before the last read, in log order. */
  #known: readonly Submission[] = []

  constructor(api: Pick<Api, 'eventsOnce'>, game: string) {
    this.#api = api
    this.#game = game
  }

  async read(nowMs: number): Promise<Rate> {
    const sinceMs = nowMs - MINUTE_MS
    const since = new Date(sinceMs).toISOString()
    const isRecent = ({ time }: Submission) => time >= since
    const known = this.#known.filter(isRecent)
    const last = known.at(-1)
    // The server reads everything after a position, so an old one would cost more than the minute.
    const start = last === undefined ? { since } : { from: last.position }
    const added: Submission[] = []
    const query = { type: 'ScoreSubmitted', ...start, limit: READ_MAX }
    for await (const { position, time } of this.#api.eventsOnce(this.#game, query)) added.push({ position, time })
    this.#known = [...known, ...added.filter(isRecent)]
    return rateOf(this.#known, sinceMs, added.length < READ_MAX)
  }
}

function rateOf(submissions: readonly Submission[], sinceMs: number, isComplete: boolean): Rate {
  const last = submissions.at(-1)
  if (isComplete || last === undefined) return { perMinute: submissions.length, isEstimate: false }
  const spanMs = Math.max(1, Date.parse(last.time) - sinceMs)
  return { perMinute: Math.round((submissions.length * MINUTE_MS) / spanMs), isEstimate: true }
}
