// Simulated commands about leaderboards.

import type { CommandContext } from '../../../commands/command-context.ts'
import * as boards from '../../../commands/leaderboard.ts'
import { keyedIds } from '../../../credentials/command-ids.ts'
import { boardKeyStream } from '../../../domain/board-key.ts'
import { type Keep, type Rules, rulesOf } from '../../../domain/board-rules.ts'
import { type Decimal, parseDecimal } from '../../../domain/decimal.ts'
import { boardStream, type Leaderboard } from '../../../domain/leaderboard.ts'
import type { SeasonSchedule } from '../../../domain/season-schedule.ts'
import { type Board, findBoard } from '../../../queries/leaderboard.ts'
import type { Random } from '../../random.ts'
import { HOURLY } from '../model/happen-seasons.ts'
import { type Model, newBoard } from '../model/model.ts'
import { areValid } from '../model/rules.ts'
import { KEYS, type Running } from '../world/node.ts'
import { simCommand } from './command.ts'
import { notFound } from './refusals.ts'

export const decimal = (text: string): Decimal => {
  const parsed = parseDecimal(text)
  if (parsed === null) throw new Error(`${text} is not a decimal`)
  return parsed
}

interface NewBoard {
  readonly game: string
  readonly name: string
  readonly key: string | null
  readonly rules: Rules
  readonly seasons?: SeasonSchedule
}

export const makeBoard = simCommand<NewBoard>({
  name: 'make board',
  weight: 3,
  generate: (random, known) => {
    const game = random.any(known.games)
    if (game === null || known.boards.length >= 5) return null
    const bounds = random.chance(0.3) ? { minScore: decimal('0'), maxScore: decimal('10') } : NO_BOUNDS
    const unique = random.chance(0.7)
    const rules = rulesOf({
      ordering: random.pick(['asc', 'desc'] as const),
      secondaryOrdering: random.pick(['asc', 'desc'] as const),
      unique,
      keep: unique || random.chance(0.05) ? anyKeep(random) : 'best',
      ...bounds,
    })
    const board = { game, name: `board ${random.below(100)}`, key: random.chance(0.5) ? anyKey(random) : null, rules }
    return known.hasSeasons && random.chance(0.8) ? { ...board, seasons: random.pick(HOURLY) } : board
  },
  async run(node, { game, name, key, rules, seasons: schedule }, context, known) {
    const seasons = schedule && { schedule, fromMs: context.nowMs }
    const made = { name, description: '', key, rules, seasons }
    const { id, handled } = await boards.makeLeaderboard(node.commands, game, made, context)
    known.boards.push({ id, game })
    const { name: given, key: held } = handled.after as Leaderboard
    return { answer: { id, name: given, key: held }, written: handled.written, replayed: handled.replayed }
  },
  apply(model, { game, name, key, rules }, { stream }) {
    const id = stream.slice(boardStream('').length)
    model.boards.set(id, newBoard({ game, name, key, rules }))
    return { id, name, key }
  },
  verdict(model, { game, key, rules }, { command }) {
    if (!areValid(rules)) return 'malformed'
    // The id that the call makes.
    const id = keyedIds(KEYS.generator, '', null, command).generator.id('leaderboard')
    return key !== null && isTaken(model, game, key, id) ? 'leaderboard_key_taken' : 'records'
  },
  afterwards: ['leaderboard_key_taken'],
})

export const anyKeep = (random: Random): Keep => random.pick(['best', 'latest', 'total'] as const)

const anyKey = (random: Random): string => random.pick(['weekly', 'daily'])

/** Whether another leaderboard has claimed the key. */
function isTaken(model: Model, game: string, key: string, board: string): boolean {
  const claim = model.keyClaims.get(boardKeyStream(game, key))
  return claim !== undefined && claim.board !== board
}

export const setKey = simCommand<{ board: string; game: string; key: string | null }>({
  name: 'set key',
  weight: 4,
  generate(random, known) {
    const board = random.any(known.boards)
    return board === null
      ? null
      : { board: board.id, game: board.game, key: random.chance(0.7) ? anyKey(random) : null }
  },
  async run(node, { board, game, key }, context) {
    await boardOf(node, board, context)
    const handled = await boards.setLeaderboard(
      node.commands,
      { board, game },
      { change: { key }, expect: () => {} },
      context,
    )
    const answer = { key: (handled.after as Leaderboard).key }
    return { answer, written: handled.written, replayed: handled.replayed }
  },
  apply: (_model, { key }) => ({ key }),
  verdict(model, { board, game, key }) {
    const present = model.boards.get(board)
    // The claim on the key and the leaderboard are checked one after the other.
    const outcomes = [
      ...(present === undefined || present.archived ? ['leaderboard_not_found'] : []),
      ...(key !== null && isTaken(model, game, key, board) ? ['leaderboard_key_taken'] : []),
      ...(present?.key === key ? ['nothing'] : []),
    ]
    return outcomes.length === 0 ? 'records' : outcomes
  },
  afterwards: ['leaderboard_key_taken'],
})

const NO_BOUNDS = { minScore: null, maxScore: null }

export const describeBoard = simCommand<{ board: string; game: string; description: string }>({
  name: 'describe board',
  weight: 2,
  generate: (random, known) => {
    const board = random.any(known.boards)
    return board === null ? null : { board: board.id, game: board.game, description: `text ${random.below(2)}` }
  },
  async run(node, { board, game, description }, context) {
    await boardOf(node, board, context)
    const change = { description }
    const handled = await boards.setLeaderboard(node.commands, { board, game }, { change, expect: () => {} }, context)
    const answer = { description: (handled.after as Leaderboard).description }
    return { answer, written: handled.written, replayed: handled.replayed }
  },
  apply(model, { board, description }) {
    const present = model.boards.get(board)
    if (present !== undefined) present.description = description
    return { description }
  },
  verdict(model, { board, description }) {
    const present = model.boards.get(board)
    if (present === undefined || present.archived) return 'leaderboard_not_found'
    return present.description === description ? 'nothing' : 'records'
  },
})

export const archiveBoard = simCommand<{ id: string; game: string }>({
  name: 'archive board',
  weight: 0.4,
  generate: (random, known) => random.any(known.boards),
  async run(node, { id, game }, context) {
    if (context.repeated) return { answer: { archived: true }, written: null, replayed: true }
    await boardOf(node, id, context)
    const { after, written, replayed } = await boards.archive(node.commands, id, game, context)
    return { answer: { archived: (after as Leaderboard).archived }, written, replayed }
  },
  apply(model, { id }) {
    const present = model.boards.get(id)
    if (present !== undefined) Object.assign(present, { archived: true, key: null })
    return { archived: true }
  },
  verdict: (model, { id }) => (model.boards.get(id)?.archived === false ? 'records' : 'leaderboard_not_found'),
})

/** Finds the board as its routes do: an archived board is found only for a repeated call. */
export async function boardOf(node: Running, id: string, context: CommandContext): Promise<Board> {
  const board = await findBoard(node.queries, id, context.repeated)
  if (board === null) throw notFound('leaderboard')
  return board
}
