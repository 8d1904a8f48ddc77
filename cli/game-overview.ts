// `scorebook game overview`: what happens in a game.

import type { Command } from 'commander'
import type { Overview, PlayerEntry } from '../clients/javascript/admin.ts'
import { asGame } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { formatInteger } from './progress.ts'
import { withExamples } from './terminal.ts'
import { fieldLines, textTable } from './text-table.ts'

export function gameOverviewCommand(shell: Shell, group: Command): void {
  const command = group
    .command('overview')
    .argument('[game]', 'its id; optional if only one game’s key is saved here')
    .description('show what happens in a game: how much is submitted, who is first, what stands out, what people did')
  withExamples(command, 'game overview', 'game overview abcd2345abcd2345abcd2345 --json')
  does(shell, command, async ({ terminal, target }, id): Promise<Answer> => {
    const { client, game } = await asGame(target, id)
    const overview = await client.overview(game)
    return { json: overview, lines: linesOf(overview, terminal.columns) }
  })
}

function linesOf({ at, submissions, players, firsts, unusual, actions, verified }: Overview, fit: number): string[] {
  const sum = (counts: readonly number[]) => formatInteger(counts.reduce((all, count) => all + count, 0))
  const last = (counts: readonly number[]) => formatInteger(counts.at(-1) ?? 0)
  const result = verified === null ? 'never' : `${verified.at}, ${verified.equal ? 'equal' : 'not equal'}`
  return [
    ...fieldLines([
      ['as of', at],
      ['submissions of 24 hours', sum(submissions.hours)],
      ['submissions of 30 days', sum(submissions.days)],
      ['players this hour', last(players.hours)],
      ['players today (UTC)', last(players.days)],
      ['last verification', result],
    ]),
    ...section('First places', entryTable(firsts, fit)),
    ...section('Scores that stand out', [
      ...entryTable(unusual, fit),
      ...unusual.map(({ player_name: name, player, reason }) => `  ${name ?? player}: ${reason}`),
    ]),
    ...section('What people did', actionTable(actions, fit)),
  ]
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, '', ...lines]

function entryTable(entries: readonly PlayerEntry[], fit: number): string[] {
  if (entries.length === 0) return []
  const columns = [
    { title: 'leaderboard', mayCut: true },
    { title: 'rank', align: 'right' as const },
    { title: 'player', mayCut: true },
    { title: 'score', align: 'right' as const },
    { title: 'when' },
  ]
  const rows = entries.map(({ leaderboard_name: board, rank, player_name: name, player, score, updated }) => {
    return [board, formatInteger(rank), name ?? player, score, updated]
  })
  return textTable(columns, rows, fit)
}

function actionTable(actions: Overview['actions'], fit: number): string[] {
  if (actions.length === 0) return []
  const columns = [
    { title: 'when' },
    { title: 'who', mayCut: true },
    { title: 'what' },
    { title: 'about', mayCut: true },
  ]
  const rows = actions.map(({ time, actor, actor_name: name, type, about }) => {
    return [time, name ?? actor, type, about.name ?? about.id]
  })
  return textTable(columns, rows, fit)
}
