// `scorebook score …`: submits, shows and deletes scores.

import type { Command } from 'commander'
import type { JsonValue, NewScore, Score, SubmittedScore } from '../clients/javascript/score-shapes.ts'
import { tryEachGame, tryEachGameOf } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { UsageFault } from './failure.ts'
import { INSTANT, instantOf } from './instants.ts'
import { wholeNumber } from './paging.ts'
import { importCommand } from './score-import.ts'
import { whyCommand } from './score-why.ts'
import { withExamples } from './terminal.ts'
import { fieldLines, textTable } from './text-table.ts'

interface SubmitOptions {
  readonly player: string
  readonly secondary?: string
  readonly playerName?: string
  readonly extra?: string
}

export function scoreCommands(shell: Shell): void {
  const group = shell.program.command('score').description('scores on a leaderboard')
  submit(shell, group)
  show(shell, group)
  history(shell, group)
  whyCommand(shell, group)
  importCommand(shell, group)
  remove(shell, group)
}

function submit(shell: Shell, group: Command): void {
  const command = group
    .command('submit')
    .argument('<leaderboard>', 'its id or key')
    .argument('<score>', 'a decimal: up to 30 digits before the point, 18 after it')
    .description('submit a score for a player, and show the resulting rank')
    .requiredOption('--player <id>', 'whose score it is')
    .option('--secondary <decimal>', 'decides among equal scores')
    .option('--player-name <name>', 'shown beside this score instead of the player’s name')
    .option('--extra <json>', 'any JSON to store with the score')
  withExamples(
    command,
    'score submit abcd2345abcd2345abcd2345 1250.5 --player wxyz2345wxyz2345wxyz2345',
    `score submit abcd2345abcd2345abcd2345 -3 --player wxyz2345wxyz2345wxyz2345 --extra '{"level":7}'`,
  )
  does<SubmitOptions>(shell, command, async ({ target, options }, board, score): Promise<Answer> => {
    const body = scoreOf(score, options)
    const answer = await tryEachGameOf(target, board, ({ client }) => client.submit(board, body))
    return { json: answer, lines: [...placeLines(answer), '', ...scoreLines(answer)] }
  })
}

/** A line for the leaderboard and, if it has seasons, one for the season that the score joined. */
function placeLines({ rank, improved, season }: SubmittedScore): string[] {
  const lines = [placeText('Rank', rank, improved)]
  if (season === null) lines.push('In no season: none is open.')
  else if (season !== undefined) lines.push(placeText(`Season ${season.season}, rank`, season.rank, season.improved))
  return lines
}

function placeText(place: string, rank: number | null, improved: boolean): string {
  return `${place} ${rank ?? 'not known yet'}: ${improved ? 'improved' : 'not improved'}.`
}

function scoreOf(score: string, { player, secondary, playerName, extra }: SubmitOptions): NewScore {
  return {
    score,
    player,
    ...(secondary === undefined ? {} : { secondary_score: secondary }),
    ...(playerName === undefined ? {} : { player_name: playerName }),
    ...(extra === undefined ? {} : { extra_data: jsonIn(extra) }),
  }
}

function jsonIn(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageFault(`--extra must be JSON, such as '{"level":7}'.`)
  }
}

function show(shell: Shell, group: Command): void {
  const command = group.command('show').argument('<score>', 'its id').description('show a score')
  command.option('--as-of <instant>', `the score at this past time: ${INSTANT}`)
  withExamples(
    command,
    'score show abcd2345abcd2345abcd2345',
    'score show abcd2345abcd2345abcd2345 --as-of 2026-11-20T12:00:00Z',
  )
  does<{ asOf?: string }>(shell, command, async ({ target, options }, id): Promise<Answer> => {
    const query = options.asOf === undefined ? {} : { as_of: instantOf(options.asOf, Date.now()) }
    const score = await tryEachGame(target, ({ client }) => client.score(id, query))
    return { json: score, lines: scoreLines(score) }
  })
}

function history(shell: Shell, group: Command): void {
  const command = group.command('history').argument('<leaderboard>', 'its id or key').argument('<player>', 'their id')
  command
    .description('show how a player’s rank and score moved on a leaderboard')
    .option('--points <n>', 'instants to show at most (1 to 1000)', '20')
  withExamples(command, 'score history abcd2345abcd2345abcd2345 wxyz2345wxyz2345wxyz2345 --points 10')
  does<{ points: string }>(shell, command, async ({ target, terminal, options }, board, player): Promise<Answer> => {
    const points = wholeNumber('--points', options.points)
    const movement = await tryEachGameOf(target, board, ({ client }) => client.movement(board, player, points))
    const rows = movement.points.map(({ time, rank, score }) => [time, String(rank ?? ''), score ?? ''])
    const columns = [
      { title: 'time' },
      { title: 'rank', align: 'right' as const },
      { title: 'score', align: 'right' as const },
    ]
    const none = ['This player has never submitted a score here.']
    return { json: movement, lines: rows.length === 0 ? none : textTable(columns, rows, terminal.columns) }
  })
}

function remove(shell: Shell, group: Command): void {
  const command = group.command('delete').argument('<score>', 'its id')
  command.description('delete a score from its leaderboard')
  withExamples(command, 'score delete abcd2345abcd2345abcd2345')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const answer = await tryEachGame(target, ({ client }) => client.deleteScore(id))
    return { json: answer, lines: [`Deleted ${answer.deleted}.`] }
  })
}

function scoreLines(entry: Score): string[] {
  return fieldLines([
    ['id', entry.id],
    ['player', entry.player],
    ['name', entry.player_name ?? '(nameless)'],
    ['score', entry.score],
    ...(entry.secondary_score === null ? [] : [['secondary', entry.secondary_score] as const]),
    ['added', entry.added],
    ['updated', entry.updated],
    ...(entry.extra_data === null ? [] : [['extra', JSON.stringify(entry.extra_data)] as const]),
  ])
}
