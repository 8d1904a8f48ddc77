// The counts of a game from the view of activity: submissions and active players of the last hours and days, and its
// leaderboards by when they last had a submission.

import { type BoardActivity, dayOf, type GameActivity, rowAt } from '../../domain/activity.ts'
import { unsafeCast } from '../../domain/event.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { QueryDeps } from '../deps.ts'
import { documentPages } from '../document-pages.ts'

export const HOURS_SHOWN = 24
export const DAYS_SHOWN = 30

/** Oldest first; the last one is running. */
export interface Series {
  readonly hours: readonly number[]
  readonly days: readonly number[]
}

const NOTHING: GameActivity = { hours: [], days: [] }

/** `hour`: the running one (domain/activity.ts). */
export async function countsOfGame(
  { views, viewKey }: QueryDeps,
  game: string,
  hour: number,
): Promise<{ readonly submissions: Series; readonly players: Series }> {
  const [document] = await views.get(viewKey('activity'), 'games', [game])
  const { hours, days } = unsafeCast<GameActivity | null>(document?.body ?? null) ?? NOTHING
  const lastHours = lastOf(HOURS_SHOWN, hour).map((at) => rowAt(hours, at))
  const lastDays = lastOf(DAYS_SHOWN, dayOf(hour)).map((at) => rowAt(days, at))
  return {
    submissions: { hours: lastHours.map((row) => row?.[1] ?? 0), days: lastDays.map((row) => row?.[1] ?? 0) },
    players: { hours: lastHours.map((row) => row?.[2] ?? 0), days: lastDays.map((row) => row?.[2] ?? 0) },
  }
}

const lastOf = (shown: number, last: number): number[] =>
  Array.from({ length: shown }, (_, index) => last - shown + 1 + index)

interface ActiveBoard extends BoardActivity {
  readonly id: string
}

/**
 * The leaderboards of a game that ever had a submission, archived ones too, in pages: those with the most recent hour
 * first.
 */
export async function* boardsByActivity(
  deps: QueryDeps,
  game: string,
  slices: TimeSlices,
): AsyncGenerator<readonly ActiveBoard[]> {
  const boards = { view: 'activity', collection: 'boards', index: 'game', equal: [game], rest: ['hour'], reverse: true }
  for await (const page of documentPages(deps, boards, () => slices.yieldIfDue())) {
    yield page.map(({ id, body }) => ({ id, ...unsafeCast<BoardActivity>(body) }))
  }
}

/** Ids of the leaderboards with submissions in the hours shown, those with the most of them first. */
export async function mostActive(
  deps: QueryDeps,
  game: string,
  hour: number,
  slices: TimeSlices,
): Promise<readonly string[]> {
  const first = hour - HOURS_SHOWN + 1
  const active: { readonly id: string; readonly submissions: number }[] = []
  for await (const page of boardsByActivity(deps, game, slices)) {
    for (const { id, hours } of page) {
      const shown = hours.filter(([at]) => at >= first && at <= hour)
      const submissions = shown.reduce((sum, [, counted]) => sum + counted, 0)
      if (submissions > 0) active.push({ id, submissions })
    }
    if ((page.at(-1)?.hour ?? 0) < first) break
  }
  return active.sort((a, b) => b.submissions - a.submissions || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
}
