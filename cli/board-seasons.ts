// The seasons of a leaderboard on the command line: the options that set their schedule, and `scorebook board seasons`.

import type { Command } from 'commander'
import type { Client } from '../clients/javascript/connect.ts'
import type { Leaderboard, RuleChange, Season, SeasonSchedule } from '../clients/javascript/score-shapes.ts'
import { tryEachGameOf } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { UsageFault } from './failure.ts'
import { utcText } from './instants.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf } from './paging.ts'
import { formatInteger } from './progress.ts'
import { withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'

export interface SeasonOptions {
  /** False: none any longer (--no-seasons). */
  readonly seasons?: string | false
  readonly timeZone?: string
}

const WHEN = 'when seasons end: daily, weekly, monthly, or a cron expression of five fields'
const ZONE = ['--time-zone <name>', 'the time zone of --seasons, such as Europe/Berlin'] as const

export const addSeasons = (command: Command): Command => command.option('--seasons <when>', WHEN).option(...ZONE)

export const addSeasonsChange = (command: Command): Command =>
  command
    .option('--seasons <when>', `${WHEN}; another schedule closes the open season now, which cannot be opened again`)
    .option(...ZONE)
    .option('--no-seasons', 'close the open season now, which cannot be opened again; no other follows')

/** Throws UsageFault if only one of the two options is given. */
export function seasonsOf({ seasons, timeZone }: SeasonOptions): { readonly seasons?: SeasonSchedule | null } {
  if (seasons === undefined && timeZone === undefined) return {}
  if (seasons === undefined) throw new UsageFault('--time-zone needs --seasons: pass both.')
  if (seasons === false) return { seasons: null }
  if (timeZone === undefined) throw new UsageFault('--seasons needs --time-zone, such as Europe/Berlin.')
  return { seasons: { cron: seasons, time_zone: timeZone } }
}

export const scheduleText = ({ cron, time_zone: zone }: SeasonSchedule): string => `${cron} (${zone})`

type SeasonsReader = Pick<Client, 'seasons'>

/** Null if it cannot be read, such as by a key without the permission. `newest`: null if there never was a season. */
async function newestSeason(client: SeasonsReader, board: string): Promise<{ readonly newest: Season | null } | null> {
  try {
    const { seasons } = await client.seasons(board, { limit: 1 })
    return { newest: seasons[0] ?? null }
  } catch {
    return null
  }
}

/**
 * Changes a leaderboard. `lines`: which seasons were closed meanwhile, and which one is open now; none if no season
 * was opened or closed, or if the seasons cannot be read, which does not fail the change.
 */
export async function changingSeasons(
  client: SeasonsReader,
  board: string,
  change: () => Promise<Leaderboard | RuleChange>,
) {
  const before = await newestSeason(client, board)
  const answer = await change()
  // By its id: the change may also have given it another key.
  const { id } = 'rebuild' in answer ? answer.leaderboard : answer
  const after = before === null ? null : await newestSeason(client, id)
  return { answer, lines: before === null || after === null ? [] : changeLines(before.newest, after.newest) }
}

/** The newest season before and after a change. */
export function changeLines(before: Season | null, after: Season | null): string[] {
  if (after === null || (after.season === before?.season && after.state === before.state)) return []
  const isOpen = after.state === 'open'
  const closed = closedText(firstToClose(before), isOpen ? after.season - 1 : after.season)
  if (isOpen) return [`${closed}Season ${after.season} is open until ${utcText(after.ends)} UTC.`]
  return closed === '' ? [] : [`${closed}No season follows.`]
}

/** The first season that was not closed before; `newest` of them. */
function firstToClose(newest: Season | null): number {
  if (newest === null) return 1
  return newest.state === 'open' ? newest.season : newest.season + 1
}

function closedText(first: number, last: number): string {
  if (first > last) return ''
  return first === last ? `Closed season ${first}. ` : `Closed seasons ${first} to ${last}. `
}

const NO_SEASONS = [
  'This leaderboard never had seasons. `board set --seasons weekly --time-zone <name>` begins the first one.',
]

export function boardSeasonsCommand(shell: Shell, group: Command): void {
  const command = addPaging(group.command('seasons').argument('<leaderboard>', 'its id or key'))
  command.description('list the seasons of a leaderboard, newest first')
  withExamples(command, 'board seasons weekly', 'board seasons abcd2345abcd2345abcd2345 --limit 5 --json')
  does<PagingOptions>(shell, command, async ({ terminal, target, options }, id): Promise<Answer> => {
    const page = await tryEachGameOf(target, id, ({ client }) => client.seasons(id, pagingOf(options)))
    if (page.count === 0) return { json: page, lines: NO_SEASONS }
    const columns = [
      { title: 'season', align: 'right' as const },
      { title: 'starts (UTC)' },
      { title: 'ends (UTC)' },
      { title: 'state' },
      { title: 'closed (UTC)' },
      { title: 'players', align: 'right' as const },
      { title: 'entries', align: 'right' as const },
    ]
    const rows = page.seasons.map(({ season, starts, ends, state, closed_at: closed, players, entries }) => [
      String(season),
      utcText(starts),
      utcText(ends),
      state,
      closed === null ? '' : utcText(closed),
      formatInteger(players),
      formatInteger(entries),
    ])
    return { json: page, lines: [...textTable(columns, rows, terminal.columns), ...pageFooter(page, 'season')] }
  })
}
