// The instants at which a leaderboard changed, one event at a time: a submission, a deletion, a rule change or a ban.
// The server reads its history forwards only, so the event before an instant is found by windows of time.

import type { Api } from '../api.ts'
import { runAction } from '../run-action.ts'
import type { Moment } from './use-moment.ts'

const OF_BOARD: ReadonlySet<string> = new Set(['ScoreSubmitted', 'ScoreDeleted', 'LeaderboardRulesChanged'])
const BANS = ['PlayerBanned', 'PlayerUnbanned'] as const

const FIRST_WINDOW_MS = 1_000
const WINDOW_FACTOR = 8
/** Events per read. A window with more is halved. */
const READ_MAX = 200

interface Steps {
  readonly api: Pick<Api, 'eventsOnce'>
  readonly game: string
  readonly board: string
}

/** Half-open, in Unix milliseconds. */
interface Range {
  readonly from: number
  readonly to: number
}

/**
 * The instant one event before another: that of the newest event that is older; null if there is none. `to`: Unix
 * milliseconds, exclusive; `from`: the leaderboard's creation.
 */
async function eventBefore(steps: Steps, { from, to }: Range): Promise<number | null> {
  const ofBoard = await newestOfBoard(steps, { from, to })
  const bans = await Promise.all(
    BANS.map((type) => timesIn(steps, { from: (ofBoard ?? from - 1) + 1, to }, { type }, null)),
  )
  const all = [...(ofBoard === null ? [] : [ofBoard]), ...bans.flat()]
  return all.length === 0 ? null : Math.max(...all)
}

/** The instant of the first event in a range; null if there is none. */
async function eventAfter(steps: Steps, range: Range): Promise<number | null> {
  const types = [...OF_BOARD].map((type) => ({ type, board: steps.board }))
  const first = await Promise.all(types.map((filter) => timesIn(steps, range, filter, 1)))
  const ofBoard = first.flat()
  const to = ofBoard.length === 0 ? range.to : Math.min(...ofBoard)
  const bans = await Promise.all(BANS.map((type) => timesIn(steps, { from: range.from, to }, { type }, 1)))
  const all = [...ofBoard, ...bans.flat()]
  return all.length === 0 ? null : Math.min(...all)
}

async function newestOfBoard(steps: Steps, { from, to }: Range): Promise<number | null> {
  let [end, length] = [to, FIRST_WINDOW_MS]
  while (end > from) {
    const start = Math.max(from, to - length)
    const found = await newestIn(steps, { from: start, to: end })
    if (found !== null) return found
    end = start
    length *= WINDOW_FACTOR
  }
  return null
}

/** The newest event of the leaderboard in a window. Halves a window that has too many events for one read. */
async function newestIn(steps: Steps, { from, to }: Range): Promise<number | null> {
  const found = await timesIn(steps, { from, to }, { board: steps.board }, READ_MAX)
  const times = found.filter((time) => time >= 0)
  if (found.length < READ_MAX || to - from <= 1) return times.length === 0 ? null : Math.max(...times)
  const middle = Math.floor((from + to) / 2)
  return (await newestIn(steps, { from: middle, to })) ?? newestIn(steps, { from, to: middle })
}

/** The times of events that change the leaderboard; -1 for other events. */
async function timesIn(
  { api, game }: Steps,
  { from, to }: Range,
  filter: { readonly type?: string; readonly board?: string },
  limit: number | null,
): Promise<number[]> {
  if (to <= from) return []
  const times: number[] = []
  const range = { since: new Date(from).toISOString(), until: new Date(to).toISOString() }
  for await (const { type, time } of api.eventsOnce(game, {
    ...filter,
    ...range,
    ...(limit === null ? {} : { limit }),
  }))
    times.push(filter.type !== undefined || OF_BOARD.has(type) ? Date.parse(time) : -1)
  return times
}

interface StepsOf {
  readonly game: string | null
  readonly board: string
  readonly moment: Moment
}

/** Moves the moment by one event, back (-1) or forward (1). From now, one event back is before the newest event. */
export function useMomentSteps(
  api: Api,
  { game, board, moment: { span, wanted, moveTo } }: StepsOf,
): (direction: -1 | 1) => Promise<void> {
  const forward = async (steps: Steps, nowMs: number) => {
    const next = await eventAfter(steps, { from: nowMs + 1, to: Date.now() + 1 })
    moveTo(next === null ? null : new Date(next).toISOString())
  }
  const back = async (steps: Steps) => {
    const { from } = span
    const newest = wanted === null ? await eventBefore(steps, { from, to: Date.now() + 1 }) : Date.parse(wanted)
    const before = newest === null ? null : await eventBefore(steps, { from, to: newest })
    moveTo(new Date(before ?? from).toISOString())
  }
  return async (direction) => {
    if (game === null) return
    const steps = { api, game, board }
    await runAction(() => (direction === 1 && wanted !== null ? forward(steps, Date.parse(wanted)) : back(steps)))
  }
}
