// Simulated commands about scores.

import * as deleting from '../../../commands/delete-score.ts'
import * as submitting from '../../../commands/submit-score.ts'
import { bannedRefusal, isBanned } from '../../../domain/player.ts'
import { waitForViewsOf } from '../../../projections/progress.ts'
import { findPlayer } from '../../../queries/player.ts'
import type { Sent } from '../model/model.ts'
import { beats, isCounted, refusalOf } from '../model/rules.ts'
import type { Running } from '../world/node.ts'
import { isBannedAt } from './bearers.ts'
import { boardOf, decimal } from './boards.ts'
import { ANYTHING, simCommand } from './command.ts'

/** Few values, so that many are equal, with more digits than a double has. */
const SCORES = [
  '-1.5',
  '0',
  '1',
  '1.000000000000000001',
  '9',
  '10',
  // The longest one that counts in a total, and those that do not.
  '999999999999999999999999.999999999999999999',
  '1000000000000000000000000',
  '-1000000000000000000000000',
  '123456789012345678901234567890',
]
const SECONDARIES = [null, null, null, null, '-2', '-2', '0.5', '0.5', '3', '1000000000000000000000000']
const EXTRAS = [null, '{"level":3}', '[1,"x"]']
/** How often one of the first two boards or players of a game is drawn, so that one entry changes repeatedly. */
const FEW = 0.7

interface NewScore {
  readonly board: string
  readonly player: string
  readonly score: string
  readonly secondary: string | null
  readonly extra: string | null
  readonly playerName: string | null
}

export const submitScore = simCommand<NewScore>({
  name: 'submit score',
  weight: 30,
  generate: (random, known) => {
    const board = random.any(random.chance(FEW) ? known.boards.slice(0, 2) : known.boards)
    if (board === null) return null
    const players = known.players.filter(({ game }) => game === board.game)
    const player = random.any(random.chance(FEW) ? players.slice(0, 2) : players)
    if (player === null) return null
    const playerName = random.chance(0.3) ? 'As given' : null
    const [score, secondary] = [random.pick(SCORES), random.pick(SECONDARIES)]
    return { board: board.id, player: player.id, score, secondary, extra: random.pick(EXTRAS), playerName }
  },
  async run(node, { board: id, player, score, secondary, extra, playerName }, context, known) {
    const board = await boardOf(node, id, context)
    const content = {
      score: decimal(score),
      secondary: secondary === null ? null : decimal(secondary),
      extra,
      playerName,
    }
    const submission = {
      board,
      player,
      checkMayPlay: () => refuseBanned(node, player, context.nowMs),
      content: () => content,
    }
    const { shown: own, entry, rank, season, ...done } = await submitting.submitScore(depsOf(node), submission, context)
    const { improved, submitted, written, replayed } = done
    if (submitted !== null) known.entries.push({ id: submitted, game: board.game, board: id, player })
    const { added, details, submission: shown } = own
    const placed = { id: entry.id, player, score: shown.score, secondary: shown.secondary, shown: shown.id }
    const { extra: kept, playerName: named } = details
    const inSeason = season == null ? null : { season: season.season, improved: season.improved }
    const frame = { ...placed, updated: shown.time, added, extra: kept, own: named }
    const answer = { ...frame, improved, submitted, season: inSeason }
    const ran = { answer, written, replayed, rank: { board: id, entry: placed, rank } }
    if (season == null) return ran
    return { ...ran, seasonRank: { board: id, season: season.season, player, rank: season.rank } }
  },
  apply(model, args, { data, meta }) {
    const { board, player } = args
    const rules = model.rules(board)
    const [before] = model.entriesOf(board, player)
    const sent: Sent = { ...args, id: data.id as string, time: meta.time }
    const season = model.record(sent)
    // Accepted just before the rules changed, and outside the bounds of the new ones.
    if (model.entriesOf(board, player).length === 0) return ANYTHING
    const best = model.bestOf(board, player)
    const { unique } = rules
    const improved = unique ? before === undefined || beats(rules, best, before) : best.id === sent.id
    const ofOne = isCounted(rules, sent) ? sent.id : null
    const submitted = !unique ? ofOne : before === undefined ? best.id : null
    const { score, secondary, shown, updated, added, extra, playerName: own, id } = best
    return { id, player, score, secondary, shown, updated, added, extra, own, improved, submitted, season }
  },
  verdict(model, { board, player, score, secondary }, { nowMs }) {
    const present = model.boards.get(board)
    if (present === undefined || present.archived) return 'leaderboard_not_found'
    const whose = model.players.get(player)
    if (whose === undefined) return 'unknown_player'
    if (isBannedAt(whose, nowMs)) return 'player_banned'
    return refusalOf(present.rules, { score, secondary }) ?? 'records'
  },
})

export const deleteScore = simCommand<{ id: string; game: string | null; board: string; player: string }>({
  name: 'delete score',
  weight: 5,
  generate: (random, known) => random.any(known.entries),
  async run(node, { id, game }, context) {
    const { written, replayed } = await deleting.deleteScore(depsOf(node), id, game, context)
    return { answer: { deleted: id }, written, replayed }
  },
  apply(model, { id, board, player }, { data }) {
    // Judged by the call's own answer: it may have been decided just before the rules changed.
    const goes = (one: Sent) => (data.upTo !== null ? one.board === board && one.player === player : one.id === id)
    model.remove(goes)
    return { deleted: id }
  },
  verdict(model, { id, board, player }) {
    if (model.boards.get(board)?.archived !== false || model.gone.has(player)) return 'score_not_found'
    return model.entriesOf(board, player).some((entry) => entry.id === id) ? 'records' : 'score_not_found'
  },
})

const depsOf = ({ commands, queries, progress }: Running): submitting.SubmitDeps => ({
  commands,
  queries,
  waitForProjection: waitForViewsOf(progress),
})

/** As the view of players has the ban: a simulated node caches no statuses. */
async function refuseBanned({ queries }: Running, player: string, nowMs: number): Promise<void> {
  const found = await findPlayer(queries, player)
  if (found === null) throw submitting.unknownPlayer()
  if (isBanned(found.state.banned, nowMs)) throw bannedRefusal(found.state.banned)
}
