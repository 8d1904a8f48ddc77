// Records the standing of a season once it is closed and the views have applied that.

import { recordSeasonStanding } from '../commands/seasons.ts'
import { standingAtClosing } from '../queries/closed-season/standing.ts'
import { ownContext, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForViews } from './wait.ts'

export function recordStandings(deps: ReactionDeps): Reaction {
  const { commands, queries, now } = deps
  return {
    name: 'record_standings',
    takes: ['SeasonClosed'],
    async react(event, signal) {
      const { game, board } = event.meta
      if (game === null || board === undefined || deps.isDeleted?.(game) === true) return
      if (!(await waitForViews(deps, { game, position: event.position }, signal))) return
      const season = Number(event.data.season)
      const standing = await standingAtClosing(queries, { board, season })
      await recordSeasonStanding(commands, { board, game }, { season, standing }, ownContext(now()))
    },
  }
}
