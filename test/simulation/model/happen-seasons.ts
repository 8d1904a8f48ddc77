// The model of events about seasons: each season is opened where the one before ended, closed once, in order and not
// before its end, and its standing is recorded once, as it was at the closing.

import { type StoredEvent, unsafeCast } from '../../../domain/event.ts'
import type { SeasonEvent } from '../../../domain/seasons.ts'
import { same } from '../oracle/same.ts'
import type { Model } from './model.ts'
import { SeasonModel } from './seasons.ts'

/** Schedules whose seasons end at each whole hour of UTC. The model knows no others. */
export const HOURLY = [
  { cron: '0 * * * *', timeZone: 'UTC' },
  { cron: '30 * * * *', timeZone: 'Asia/Kolkata' },
] as const

export const HOUR_MS = 3_600_000
/** An event takes its stream's last time if that is at most this far ahead of the clock. */
const LEAD_MS = 60_000

const nextHour = (time: string): string =>
  new Date((Math.floor(Date.parse(time) / HOUR_MS) + 1) * HOUR_MS).toISOString()

/** Applies the event to the model. Returns what is wrong with it, one line each. */
export function happenToSeasons(model: Model, event: StoredEvent): string[] {
  if (!event.type.startsWith('Season')) return []
  const board = event.meta.board ?? ''
  const seasons = model.seasons.get(board) ?? new SeasonModel(model, board)
  model.seasons.set(board, seasons)
  return happen(seasons, unsafeCast<SeasonEvent>(event), event.meta).map(
    (message) => `${event.type} of ${event.stream} at ${event.revision}: ${message}`,
  )
}

function happen(seasons: SeasonModel, event: SeasonEvent, { time, actor }: StoredEvent['meta']): string[] {
  const { last, opened, next } = seasons
  switch (event.type) {
    case 'SeasonScheduleSet': {
      const isPresent = same(event.data.schedule, seasons.schedule)
      seasons.schedule = event.data.schedule
      return isPresent ? ['the leaderboard has this schedule'] : []
    }
    case 'SeasonOpened': {
      const { season, starts, ends } = event.data
      const wrong: string[] = []
      if (season !== last + 1) wrong.push(`it is season ${season} after ${last}`)
      if (opened !== null) wrong.push(`season ${last} is open`)
      const aheadMs = Date.parse(time) - Date.parse(starts)
      const isAtChange = aheadMs >= 0 && aheadMs <= LEAD_MS
      if (next === null ? !isAtChange : starts !== next) wrong.push(`it starts at ${starts}, not ${next ?? time}`)
      if (ends !== nextHour(starts)) wrong.push(`it ends at ${ends}`)
      seasons.open(event.data)
      return wrong
    }
    case 'SeasonClosed': {
      const { season, ends } = event.data
      if (opened === null || season !== last) return [`season ${season} is not open`]
      const wrong = ends === undefined && time < opened.ends ? [`it ends at ${opened.ends}, and it is ${time}`] : []
      if (ends !== undefined && actor === null) wrong.push('the service closes no season before its end')
      if (ends !== undefined && (ends < opened.starts || ends >= opened.ends)) {
        wrong.push(`${ends} is not between ${opened.starts} and ${opened.ends}`)
      }
      if (seasons.endsAtOnce && ends !== opened.starts) wrong.push('it has submissions from before it began')
      seasons.close(ends)
      return wrong
    }
    case 'SeasonStandingRecorded': {
      const { season, ...standing } = event.data
      const wrong = seasons.recorded.has(season) ? ['it is recorded'] : []
      seasons.recorded.add(season)
      if (!seasons.isClosed(season)) return [...wrong, `season ${season} is not closed`]
      const due = seasons.standing(season)
      return same(standing, due) ? wrong : [...wrong, `${JSON.stringify(standing)} should be ${JSON.stringify(due)}`]
    }
  }
}
