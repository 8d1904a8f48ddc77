// `scorebook score …`: one score, submitted for a player, shown, deleted.

import type { Command } from 'commander'
import type { JsonValue, NewScore, Score } from '../client/score-shapes.ts'
import { type Answer, does, type Shell, withExamples } from './command.ts'
import { whereFound } from './connection.ts'
import { UsageFault } from './failure.ts'
import { fieldLines } from './text-table.ts'

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
  remove(shell, group)
}

function submit(shell: Shell, group: Command): void {
  const command = group
    .command('submit')
    .argument('<leaderboard>', 'its id')
    .argument('<score>', 'a decimal: up to 30 digits before the point, 18 after it')
    .description('submit a score for a player, and see where they stand with it')
    .requiredOption('--player <id>', 'whose score it is')
    .option('--secondary <decimal>', 'decides among equal scores')
    .option('--player-name <name>', 'shown beside this score instead of the player’s name')
    .option('--extra <json>', 'whatever the game wants kept with it')
  withExamples(
    command,
    'score submit abcd2345abcd2345abcd2345 1250.5 --player wxyz2345wxyz2345wxyz2345',
    `score submit abcd2345abcd2345abcd2345 -3 --player wxyz2345wxyz2345wxyz2345 --extra '{"level":7}'`,
  )
  does<SubmitOptions>(shell, command, async ({ place, options }, board, score): Promise<Answer> => {
    const body = scoreOf(score, options)
    const answer = await whereFound(place, ({ client }) => client.submit(board, body))
    const news = answer.improved ? 'this is their best now' : 'their best stands as it was'
    return { json: answer, lines: [`Rank ${answer.rank}: ${news}.`, '', ...scoreLines(answer)] }
  })
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
  withExamples(command, 'score show abcd2345abcd2345abcd2345')
  does(shell, command, async ({ place }, id): Promise<Answer> => {
    const score = await whereFound(place, ({ client }) => client.score(id))
    return { json: score, lines: scoreLines(score) }
  })
}

function remove(shell: Shell, group: Command): void {
  const command = group.command('delete').argument('<score>', 'its id')
  command.description('take a score off its leaderboard')
  withExamples(command, 'score delete abcd2345abcd2345abcd2345')
  does(shell, command, async ({ place }, id): Promise<Answer> => {
    const answer = await whereFound(place, ({ client }) => client.deleteScore(id))
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
