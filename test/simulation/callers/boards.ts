// Simulated commands about leaderboards.

import type { CommandContext } from '../../../commands/command-context.ts'
import * as boards from '../../../commands/leaderboard.ts'
import type { Rules } from '../../../domain/board-rules.ts'
import { type Decimal, parseDecimal } from '../../../domain/decimal.ts'
import { boardStream, type Leaderboard } from '../../../domain/leaderboard.ts'
import { type Board, findBoard } from '../../../queries/leaderboard.ts'
import type { Running } from '../world/node.ts'
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
  readonly rules: Rules
}

export const makeBoard = simCommand<NewBoard>({
  name: 'make board',
  weight: 3,
  generate: (random, known) => {
    const game = random.any(known.games)
    if (game === null || known.boards.length >= 5) return null
    const bounds = random.chance(0.3) ? { minScore: decimal('0'), maxScore: decimal('10') } : NO_BOUNDS
    const rules: Rules = {
      ordering: random.pick(['asc', 'desc'] as const),
      secondaryOrdering: random.pick(['asc', 'desc'] as const),
      unique: random.chance(0.5),
      ...bounds,
    }
    return { game, name: `board ${random.below(100)}`, rules }
  },
  async run(node, { game, name, rules }, context, known) {
    const { id, handled } = await boards.makeLeaderboard(node.commands, game, { name, description: '', rules }, context)
    known.boards.push({ id, game })
    const { name: given } = handled.after as Leaderboard
    return { answer: { id, name: given }, written: handled.written, replayed: handled.replayed }
  },
  apply(model, { game, name, rules }, { stream }) {
    const id = stream.slice(boardStream('').length)
    model.boards.set(id, { game, name, description: '', rules, archived: false, coming: null, wasRebuilt: false })
    return { id, name }
  },
  verdict: () => 'records',
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
    if (present !== undefined) present.archived = true
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
