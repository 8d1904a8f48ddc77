// `scorebook board …`: creates, lists, shows, changes and archives leaderboards. board-scores.ts prints their scores.

import type { Command } from 'commander'
import type { Leaderboard } from '../clients/javascript/score-shapes.ts'
import { asGame, tryEachGameOf } from './authenticated-clients.ts'
import { addRules, type RuleOptions, rulesOf } from './board-rules.ts'
import { boardScoresCommands } from './board-scores.ts'
import {
  addSeasons,
  addSeasonsChange,
  boardSeasonsCommand,
  changingSeasons,
  type SeasonOptions,
  scheduleText,
  seasonsOf,
} from './board-seasons.ts'
import { type Answer, does, type Shell } from './command.ts'
import { UsageFault } from './failure.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf } from './paging.ts'
import { formatInteger } from './progress.ts'
import { quoted } from './target.ts'
import { withExamples } from './terminal.ts'
import { fieldLines, textTable } from './text-table.ts'

export function boardCommands(shell: Shell): void {
  const group = shell.program.command('board').description('leaderboards')
  create(shell, group)
  list(shell, group)
  show(shell, group)
  set(shell, group)
  archive(shell, group)
  boardScoresCommands(shell, group)
  boardSeasonsCommand(shell, group)
}

interface BoardOptions extends RuleOptions, SeasonOptions {
  readonly description?: string
  /** False removes the key (--no-key). */
  readonly key?: string | false
}

const DESCRIPTION = ['--description <text>', 'text shown to players'] as const

const KEY = ['--key <key>', 'a name that calls may send in place of the id, such as weekly'] as const

const describedBy = ({ description, key }: BoardOptions) => ({
  ...(description === undefined ? {} : { description }),
  ...(key === undefined ? {} : { key: key === false ? null : key }),
})

function create(shell: Shell, group: Command): void {
  const command = addSeasons(addRules(group.command('create').argument('<name>', 'name shown to players')))
  command
    .description('create a leaderboard; default: highest first, the best of each player, no bounds')
    .option(...DESCRIPTION)
    .option(...KEY)
  withExamples(
    command,
    'board create "High scores"',
    'board create "This week" --key weekly',
    'board create "Fastest lap" --ordering asc --min 0 --description "Seconds"',
    'board create "Every run" --no-unique --min=-100 --max 100',
    'board create "Experience" --key xp --keep total --min 0',
    'board create "This week" --key weekly --seasons weekly --time-zone Europe/Berlin',
  )
  does<BoardOptions>(shell, command, async ({ target, options }, name): Promise<Answer> => {
    const { client, game } = await asGame(target)
    const made = await client.createLeaderboard(game, {
      ordering: 'desc',
      ...rulesOf(options),
      ...seasonsOf(options),
      ...describedBy(options),
      name,
    })
    const lines = [
      `Created the leaderboard ${quoted(made.name)}.`,
      '',
      ...boardLines(made),
      '',
      'Next:',
      `  ${target.invocation} player create Ada --game ${game}`,
      `  ${target.invocation} score submit ${made.key ?? made.id} 1250.5 --player <player>`,
      `  ${target.invocation} board top ${made.key ?? made.id}${made.seasons === null ? '' : ' --season current'}`,
    ]
    return { json: made, lines }
  })
}

function list(shell: Shell, group: Command): void {
  const command = addPaging(group.command('list').description('list a game’s leaderboards'))
  withExamples(command, 'board list', 'board list --game abcd2345abcd2345abcd2345 --json')
  does<PagingOptions>(shell, command, async ({ terminal, target, options }): Promise<Answer> => {
    const { client, game } = await asGame(target)
    const page = await client.leaderboards(game, pagingOf(options))
    const hasKeys = page.leaderboards.some(({ key }) => key !== null)
    const columns = [
      { title: 'leaderboard' },
      ...(hasKeys ? [{ title: 'key' }] : []),
      { title: 'name', mayCut: true },
      { title: 'entries', align: 'right' as const },
      { title: 'rules', mayCut: true },
    ]
    const rows = page.leaderboards.map((board) => [
      board.id,
      ...(hasKeys ? [board.key ?? ''] : []),
      board.name,
      formatInteger(board.entries),
      rulesText(board),
    ])
    return { json: page, lines: [...textTable(columns, rows, terminal.columns), ...pageFooter(page, 'leaderboard')] }
  })
}

function show(shell: Shell, group: Command): void {
  const command = group.command('show').argument('<leaderboard>', 'its id or key').description('show a leaderboard')
  withExamples(command, 'board show abcd2345abcd2345abcd2345', 'board show weekly')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const board = await tryEachGameOf(target, id, ({ client }) => client.leaderboard(id))
    return { json: board, lines: boardLines(board) }
  })
}

function set(shell: Shell, group: Command): void {
  const command = addSeasonsChange(addRules(group.command('set').argument('<leaderboard>', 'its id or key')))
  command
    .description('change a leaderboard; options that are not given keep their value')
    .option('--name <name>', 'name shown to players')
    .option(...DESCRIPTION)
    .option(...KEY)
    .option('--no-key', 'remove the key')
  withExamples(
    command,
    'board set abcd2345abcd2345abcd2345 --name "All-time best"',
    'board set abcd2345abcd2345abcd2345 --no-unique --max 1000',
    'board set abcd2345abcd2345abcd2345 --keep latest',
    'board set abcd2345abcd2345abcd2345 --key weekly',
    'board set weekly --no-key',
    'board set weekly --seasons "0 18 * * 5" --time-zone America/New_York',
  )
  does<BoardOptions & { readonly name?: string }>(shell, command, async ({ target, options }, id): Promise<Answer> => {
    const { name } = options
    const change = {
      ...rulesOf(options),
      ...seasonsOf(options),
      ...describedBy(options),
      ...(name === undefined ? {} : { name }),
    }
    if (Object.keys(change).length === 0)
      throw new UsageFault('Nothing to change. Pass --name, --description, --key, --seasons or a rule.')
    const { answer, lines: closed } = await tryEachGameOf(target, id, async ({ client }) => {
      const put = () => client.changeRules(id, change)
      const isTold = 'seasons' in change && options.json !== true
      return isTold ? changingSeasons(client, id, put) : { answer: await put(), lines: [] }
    })
    const news = closed.length === 0 ? [] : ['', ...closed]
    if (!('rebuild' in answer)) return { json: answer, lines: [...boardLines(answer), ...news] }
    const lines = [
      'The entries are being recomputed. The old rules apply until then. The result will be:',
      '',
      ...boardLines(answer.leaderboard),
      '',
      `To watch: ${target.invocation} rebuild ${id} --watch`,
      ...news,
    ]
    return { json: answer, lines }
  })
}

function archive(shell: Shell, group: Command): void {
  const command = group.command('archive').argument('<leaderboard>', 'its id or key')
  command.description('archive a leaderboard: the API hides it, its history remains')
  withExamples(command, 'board archive abcd2345abcd2345abcd2345')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const answer = await tryEachGameOf(target, id, ({ client }) => client.archiveLeaderboard(id))
    return { json: answer, lines: [`Archived ${answer.deleted}.`] }
  })
}

function boardLines(board: Leaderboard): string[] {
  const { id, key, name, description, game, entries, seasons } = board
  return fieldLines([
    ['leaderboard', id],
    ...(key === null ? [] : [['key', key] as const]),
    ['name', name],
    ...(description === '' ? [] : [['about', description] as const]),
    ['game', game],
    ['rules', rulesText(board)],
    ...(seasons === null ? [] : [['seasons', scheduleText(seasons)] as const]),
    ['entries', formatInteger(entries)],
  ])
}

/** `highest, best per player, 0 to 100` */
export function rulesText({ ordering, unique, keep, min_score: min, max_score: max }: Leaderboard): string {
  const order = ordering === 'desc' ? 'highest' : 'lowest'
  const kind = unique ? `${keep} per player` : 'every score'
  const bounds = boundsText(min, max)
  return `${order}, ${kind}${bounds}`
}

function boundsText(min: string | null, max: string | null): string {
  if (min !== null && max !== null) return `, ${min} to ${max}`
  if (min !== null) return `, from ${min}`
  return max === null ? '' : `, up to ${max}`
}
