// Simulated commands about a board's rules: new rules are requested, entries are recomputed, and both are cancelled.

import * as boards from '../../../commands/leaderboard.ts'
import { unsafeCast } from '../../../domain/event.ts'
import type { Leaderboard, LeaderboardChange } from '../../../domain/leaderboard.ts'
import { running } from '../../../domain/rule-change.ts'
import type { Random } from '../../random.ts'
import type { Model, ModelBoard } from '../model/model.ts'
import { areValid, changedRules, type ModelRules, sameRules } from '../model/rules.ts'
import { anyKeep, boardOf, decimal } from './boards.ts'
import { type Known, simCommand } from './command.ts'

type Changed = NonNullable<LeaderboardChange['rules']>

/** One of the first two boards, which get most of the writes. */
const anyBoard = (random: Random, known: Known) => random.any(known.boards.slice(0, 2))

function somewhere(random: Random, known: Known): { board: string; game: string } | null {
  const board = anyBoard(random, known)
  return board === null ? null : { board: board.id, game: board.game }
}

function someRules(random: Random): Changed {
  const bounds = { minScore: null, maxScore: null }
  return random.pick<Changed>([
    { unique: random.chance(0.5) },
    { keep: anyKeep(random) },
    { keep: anyKeep(random), unique: true },
    { keep: anyKeep(random), ordering: random.pick(['asc', 'desc'] as const), unique: true },
    { keep: 'best', unique: false },
    { ordering: random.pick(['asc', 'desc'] as const) },
    { secondaryOrdering: random.pick(['asc', 'desc'] as const), unique: random.chance(0.5) },
    { ...bounds, minScore: decimal('0') },
    { ...bounds, maxScore: decimal('1') },
    bounds,
  ])
}

const outcome = (state: Leaderboard) => ({ rebuild: running(state)?.id ?? null })

export const changeRules = simCommand<{ board: string; game: string; rules: Changed }>({
  name: 'change rules',
  weight: 5,
  generate(random, known) {
    const target = somewhere(random, known)
    return target === null ? null : { ...target, rules: someRules(random) }
  },
  async run(node, { board, game, rules }, context) {
    await boardOf(node, board, context)
    const handled = await boards.setLeaderboard(
      node.commands,
      { board, game },
      { change: { rules }, expect: () => {} },
      context,
    )
    const answer = outcome(handled.after as Leaderboard)
    return { answer, written: handled.written, replayed: handled.replayed }
  },
  apply: (model, { board }, { type, data }) => asked(model, board, type, data),
  verdict(model, { board, rules }) {
    const present = model.boards.get(board)
    if (present === undefined || present.archived) return 'leaderboard_not_found'
    const due = changedRules(present.rules, unsafeCast(rules))
    if (!areValid(due)) return 'malformed'
    if (sameRules(due, present.coming?.rules ?? present.rules)) return 'nothing'
    return present.coming === null ? 'records' : 'rebuild_running'
  },
})

export const recomputeBoard = simCommand<{ board: string; game: string }>({
  name: 'recompute board',
  weight: 1,
  generate: somewhere,
  async run(node, target, context) {
    await boardOf(node, target.board, context)
    const { after, written, replayed } = await boards.rebuildEntries(node.commands, target, context)
    return { answer: outcome(after as Leaderboard), written, replayed }
  },
  apply: (model, { board }, { type, data }) => asked(model, board, type, data),
  verdict(model, { board }) {
    const present = model.boards.get(board)
    if (present === undefined || present.archived) return 'leaderboard_not_found'
    return present.coming === null ? 'records' : 'rebuild_running'
  },
})

export const cancelRuleChange = simCommand<{ board: string; game: string }>({
  name: 'cancel rule change',
  weight: 1,
  generate: somewhere,
  async run(node, target, context) {
    await boardOf(node, target.board, context)
    const { after, written, replayed } = await boards.cancel(node.commands, target, context)
    return { answer: outcome(after as Leaderboard), written, replayed }
  },
  apply(model, { board }, { type }) {
    const present = model.boards.get(board)
    if (present !== undefined && type === 'LeaderboardRulesCancelled') present.coming = null
    return { rebuild: null }
  },
  verdict(model, { board }) {
    const present = model.boards.get(board)
    if (present === undefined || present.archived) return 'leaderboard_not_found'
    if (present.coming !== null) return 'records'
    return present.wasRebuilt ? 'nothing' : 'rebuild_not_found'
  },
})

function asked(model: Model, board: string, type: string, data: object) {
  const present = model.boards.get(board)
  if (present !== undefined && type === 'LeaderboardRulesRequested') {
    const { change: id, rules } = unsafeCast<{ change: string; rules: ModelRules }>(data)
    present.coming = { id, rules }
    present.wasRebuilt = true
  }
  return { rebuild: present?.coming?.id ?? null }
}

/** Events that the building and clearing reactions record on their own. */
export function applyOwn(model: Model, type: string, board: string | undefined): void {
  const present: ModelBoard | undefined = model.boards.get(board ?? '')
  if (type !== 'LeaderboardRulesChanged' || present === undefined || present.coming === null) return
  present.rules = present.coming.rules
  present.coming = null
}
