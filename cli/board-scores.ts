// `scorebook board top` and `board around`: print the scores of a leaderboard as a table.

import { type Command, Option } from 'commander'
import type { RankedScore, ScoresPage, ScoresQuery } from '../clients/javascript/score-shapes.ts'
import { tryEachGameOf } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { UsageFault } from './failure.ts'
import { INSTANT, instantOf, utcText } from './instants.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf, wholeNumber } from './paging.ts'
import { withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'

/** What is ranked: the scores of a window, of a past time or of a season; none of these: all scores, now. */
interface RankingOptions {
  readonly since?: string
  readonly until?: string
  readonly window?: 'best'
  readonly asOf?: string
  readonly season?: Season
}

interface TopOptions extends PagingOptions, RankingOptions {
  readonly order?: NonNullable<ScoresQuery['order']>
  readonly name?: string
  readonly min?: string
  readonly max?: string
}

type Season = NonNullable<ScoresQuery['season']>

export function boardScoresCommands(shell: Shell, group: Command): void {
  top(shell, group)
  around(shell, group)
}

const addRanking = (command: Command): Command =>
  command
    .option('--since <time>', 'only scores set at or after this date or ISO 8601 time; ranks count these scores only')
    .option('--until <time>', 'only scores set before this ISO 8601 time, or up to the end of this date')
    .addOption(
      new Option(
        '--window <which>',
        'with --since or --until: rank what each player set in that time, such as their best of it, not their entry',
      ).choices(['best']),
    )
    .option('--as-of <instant>', `the leaderboard at this past time: ${INSTANT}`)
    .addOption(
      new Option(
        '--season <which>',
        'the ranking of one season: its number, current or last (the newest that has ended)',
      )
        .argParser(seasonOf)
        .conflicts(['since', 'until', 'window', 'asOf']),
    )

function top(shell: Shell, group: Command): void {
  const command = addRanking(addPaging(group.command('top').argument('<leaderboard>', 'its id or key')))
    .description('show the top scores')
    .addOption(
      new Option('--order <order>', 'sort order (default: best)').choices(['best', 'worst', 'newest', 'oldest']),
    )
    .option('--name <text>', 'only player names that contain this text')
    .option('--min <decimal>', 'only scores of at least this value')
    .option('--max <decimal>', 'only scores of at most this value')
  withExamples(
    command,
    'board top abcd2345abcd2345abcd2345',
    'board top weekly',
    'board top weekly --since 2026-11-23 --until 2026-11-29 --window best --limit 10',
    'board top abcd2345abcd2345abcd2345 --order newest --name ada --json',
    'board top abcd2345abcd2345abcd2345 --as-of 2026-11-20T12:00:00Z',
    'board top weekly --as-of 7d',
    'board top weekly --season last',
  )
  does<TopOptions>(shell, command, async ({ terminal, target, options }, id): Promise<Answer> => {
    const { order, name, min, max } = options
    const query: ScoresQuery = {
      ...pagingOf(options),
      ...rankingOf(options),
      ...(order === undefined ? {} : { order }),
      ...(name === undefined ? {} : { player_name: name }),
      ...(min === undefined ? {} : { min_score: min }),
      ...(max === undefined ? {} : { max_score: max }),
    }
    const page = await tryEachGameOf(target, id, ({ client }) => client.scores(id, query))
    // `current` and `last` name other seasons after the next end.
    const pinned = typeof options.season === 'string' ? [`--season ${page.season}`] : []
    const lines = [
      ...seasonLines(page),
      ...scoreLines(page.scores, terminal.columns),
      ...pageFooter(page, 'score', pinned),
    ]
    return { json: page, lines }
  })
}

function seasonOf(text: string): Season {
  if (text === 'current' || text === 'last') return text
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageFault(`--season ${text} is not the number of a season, current or last.`)
}

function around(shell: Shell, group: Command): void {
  const command = addRanking(
    group.command('around').argument('<leaderboard>', 'its id or key').argument('<player>', 'their id'),
  )
    .description('show a player’s entry (the best, if they have several) and its neighbours')
    .option('--limit <n>', 'how many (1 to 100)', '11')
  withExamples(
    command,
    'board around abcd2345abcd2345abcd2345 wxyz2345wxyz2345wxyz2345 --limit 5',
    'board around weekly wxyz2345wxyz2345wxyz2345 --season current',
  )
  does<{ limit: string } & RankingOptions>(shell, command, async (invoked, id, player): Promise<Answer> => {
    const { terminal, target, options } = invoked
    const query = { around: player, limit: wholeNumber('--limit', options.limit), ...rankingOf(options) }
    const page = await tryEachGameOf(target, id, ({ client }) => client.scores(id, query))
    return { json: page, lines: aroundLines(page, terminal.columns) }
  })
}

/** Throws UsageFault if `--window` would change nothing. */
function rankingOf({ since, until, window, asOf, season }: RankingOptions): ScoresQuery {
  if (window !== undefined && since === undefined && until === undefined)
    throw new UsageFault('--window needs a time. Pass --since or --until with it.')
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(window === undefined ? {} : { window }),
    ...(asOf === undefined ? {} : { as_of: instantOf(asOf, Date.now()) }),
    ...(season === undefined ? {} : { season }),
  }
}

export function aroundLines(page: ScoresPage, fit: number): string[] {
  const { scores, player_score: own, player_rank: rank, season } = page
  const place = season === undefined ? 'on this leaderboard' : `in season ${season}`
  if (rank === null || rank === undefined) return [`This player has no entry ${place}.`]
  return [...seasonLines(page), ...scoreLines(scores, fit, own ?? null)]
}

const hasFinalRanks = (scores: readonly RankedScore[]): boolean => scores.some(({ final_rank: final }) => final != null)

/** Which season the rows are of, above them; nothing if they are of none. */
function seasonLines({ season, scores }: ScoresPage): string[] {
  return season === undefined ? [] : [`Season ${season}${hasFinalRanks(scores) ? ' · final ranks' : ''}`, '']
}

/** Formats entries as a table and highlights the entry with the id `marked`. */
export function scoreLines(scores: readonly RankedScore[], fit: number, marked: string | null = null): string[] {
  const secondary = scores.some(({ secondary_score: second }) => second !== null)
  const isClosed = hasFinalRanks(scores)
  const right = 'right' as const
  const columns = [
    { title: 'rank', align: right },
    ...(isClosed ? [{ title: 'final', align: right }] : []),
    ...(marked === null ? [] : [{ title: '' }]),
    { title: 'player', mayCut: true },
    { title: 'score', align: right },
    ...(secondary ? [{ title: 'second', align: right }] : []),
    { title: 'set' },
  ]
  const rows = scores.map((entry) => [
    String(entry.rank),
    ...(isClosed ? [String(entry.final_rank ?? '')] : []),
    ...(marked === null ? [] : [entry.id === marked ? '>' : '']),
    entry.player_name ?? '(nameless)',
    entry.score,
    ...(secondary ? [entry.secondary_score ?? ''] : []),
    utcText(entry.updated),
  ])
  return textTable(columns, rows, fit)
}
