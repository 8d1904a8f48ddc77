// Simulated commands about the seasons of leaderboards.

import * as boards from '../../../commands/leaderboard.ts'
import type { Leaderboard } from '../../../domain/leaderboard.ts'
import type { SeasonSchedule } from '../../../domain/season-schedule.ts'
import { seasonsOf } from '../../../domain/seasons.ts'
import { nextSeason } from '../../../queries/seasons.ts'
import { HOURLY } from '../model/happen-seasons.ts'
import { same } from '../oracle/same.ts'
import { boardOf } from './boards.ts'
import { simCommand } from './command.ts'

export const changeSeasons = simCommand<{ board: string; game: string; schedule: SeasonSchedule | null }>({
  name: 'change seasons',
  weight: 3,
  generate(random, known) {
    const board = random.any(known.boards)
    if (board === null) return null
    return { board: board.id, game: board.game, schedule: random.pick([...HOURLY, ...HOURLY, null]) }
  },
  async run(node, { board, game, schedule }, context) {
    await boardOf(node, board, context)
    const next = await nextSeason(node.queries, board)
    const change = { seasons: { schedule, fromMs: context.nowMs, next } }
    const handled = await boards.setLeaderboard(node.commands, { board, game }, { change, expect: () => {} }, context)
    const answer = { seasons: seasonsOf(handled.after as Leaderboard).schedule }
    return { answer, written: handled.written, replayed: handled.replayed }
  },
  apply: (_model, { schedule }) => ({ seasons: schedule }),
  verdict(model, { board, schedule }) {
    const present = model.boards.get(board)
    if (present === undefined || present.archived) return 'leaderboard_not_found'
    return same(model.seasons.get(board)?.schedule ?? null, schedule) ? 'nothing' : 'records'
  },
})
