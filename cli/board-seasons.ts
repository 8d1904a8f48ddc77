// The seasons of a leaderboard on the command line: the options that set their schedule, and `scorebook board seasons`.

import type { Command } from 'commander'
import type { SeasonSchedule } from '../clients/javascript/score-shapes.ts'
import { tryEachGameOf } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { UsageFault } from './failure.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf } from './paging.ts'
import { formatInteger } from './progress.ts'
import { withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'

export interface SeasonOptions {
  /** False: none any longer (--no-seasons). */
  readonly seasons?: string | false
  readonly timeZone?: string
}

export const addSeasons = (command: Command): Command =>
  command
    .option('--seasons <when>', 'when seasons end: daily, weekly, monthly, or a cron expression of five fields')
    .option('--time-zone <name>', 'the time zone of --seasons, such as Europe/Berlin')

/** Throws UsageFault if only one of the two options is given. */
export function seasonsOf({ seasons, timeZone }: SeasonOptions): { readonly seasons?: SeasonSchedule | null } {
  if (seasons === undefined && timeZone === undefined) return {}
  if (seasons === undefined) throw new UsageFault('--time-zone needs --seasons: pass both.')
  if (seasons === false) return { seasons: null }
  if (timeZone === undefined) throw new UsageFault('--seasons needs --time-zone, such as Europe/Berlin.')
  return { seasons: { cron: seasons, time_zone: timeZone } }
}

export const scheduleText = ({ cron, time_zone: zone }: SeasonSchedule): string => `${cron} (${zone})`

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
      { title: 'starts' },
      { title: 'ends' },
      { title: 'state' },
      { title: 'players', align: 'right' as const },
      { title: 'entries', align: 'right' as const },
    ]
    const rows = page.seasons.map(({ season, starts, ends, state, players, entries }) => [
      String(season),
      starts,
      ends,
      state,
      formatInteger(players),
      formatInteger(entries),
    ])
    return { json: page, lines: [...textTable(columns, rows, terminal.columns), ...pageFooter(page, 'season')] }
  })
}
