// `scorebook history …`: prints or follows a game's events as JSON lines, and exports, verifies, imports and repairs
// logs.

import type { EventsQuery } from '../clients/javascript/history.ts'
import { asGame } from './authenticated-clients.ts'
import { does, type Invoked, type Shell } from './command.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { type ExportOptions, exportTo, formatOf } from './history-export.ts'
import { importExport, verifyExport } from './history-import.ts'
import { type RepairOptions, repairHistory } from './history-repair.ts'
import { interruptible, withExamples } from './terminal.ts'

interface Filters extends Omit<EventsQuery, 'limit' | 'follow'> {
  readonly limit?: string
}

export function historyCommands(shell: Shell): void {
  const group = shell.program
    .command('history')
    .description('read, follow, export, verify, import and repair the event history')
  exportCommand(shell, group)
  followCommand(shell, group)
  const verify = group
    .command('verify')
    .description('check that an export is unchanged: nothing cut off, changed, moved or added')
    .argument('<export>', 'the folder')
  withExamples(verify, 'history verify everything')
  does(shell, verify, ({ terminal }, folder = '') => verifyExport(terminal, folder))
  const load = group
    .command('import')
    .description('create a new installation from the export of a whole log, on empty stores, with no server running')
    .argument('<export>', 'the folder')
    .option('--vault <file>', 'the vault of that installation, as `history export --all --vault` wrote it')
  withExamples(
    load,
    'history import everything',
    'history import everything --vault everything.vault   # with the MASTER_KEY of that installation',
  )
  does<{ vault?: string }>(shell, load, ({ terminal, options }, folder = '') =>
    importExport(terminal, folder, options.vault ?? null),
  )
  const repair = group
    .command('repair')
    .description(
      'number streams of the log again that have a gap or a duplicate in their revisions, with no server running',
    )
    .option('--dry-run', 'show the repair and change nothing')
    .option('--accept-gaps', 'close gaps, too, although events may be missing there')
  withExamples(repair, 'history repair --dry-run', 'history repair')
  does<RepairOptions>(shell, repair, repairHistory)
}

type Group = Shell['program']

function filtered(command: Group): Group {
  return command
    .option('--from <position>', 'only events after this position of an event')
    .option('--since <time>', 'from this date or datetime on')
    .option('--type <type>', 'events of one type, such as ScoreSubmitted')
    .option('--board <leaderboard>', 'events of one leaderboard, by id or key')
    .option('--player <id>', 'events of one player')
    .option('--request <id>', 'events that one API call recorded')
    .option('--limit <number>', 'maximum number of them')
}

function exportCommand(shell: Shell, group: Group): void {
  const command = filtered(group.command('export'))
    .description(
      'a game’s history, or what the options leave of it: as lines, or with --out as a folder that proves itself',
    )
    .option('--until <time>', 'before this datetime, or to the end of this day')
    .option('--out <folder>', 'create this folder, with the events, a manifest and hashes of both')
    .option('--format <format>', 'with --out: ndjson, csv or parquet', 'ndjson')
    .option('--bom', 'with --format csv: begin with a byte order mark, for spreadsheets')
    .option('--all', 'with --out: all recorded events of all games, as ndjson, for `history import`')
    .option('--vault <file>', 'with --all: also export the vault, encrypted with the master key, to this file')
  withExamples(
    command,
    'history export > events.ndjson',
    'history export --out january --format parquet --since 2026-01-01 --until 2026-01-31',
    'history export --all --out everything --vault everything.vault',
  )
  does<Filters & ExportOptions>(shell, command, async (invoked) => {
    const { out, all, vault, bom, format } = invoked.options
    const isFolder =
      out !== undefined || all === true || vault !== undefined || bom === true || formatOf(format) !== 'ndjson'
    if (isFolder) return exportTo(invoked, queryOf(invoked.options))
    await print(invoked, queryOf(invoked.options))
    return null
  })
}

function followCommand(shell: Shell, group: Group): void {
  const command = filtered(group.command('follow')).description('print a game’s history, and then each new event')
  withExamples(command, 'history follow --type ScoreSubmitted')
  does<Filters>(shell, command, async (invoked) => {
    await print(invoked, { ...queryOf(invoked.options), follow: true })
    return null
  })
}

function queryOf({ limit, ...selecting }: Filters): EventsQuery {
  const { from, since, until, type, board, player, request } = selecting
  const given = Object.entries({ from, since, until, type, board, player, request }).filter(
    ([, value]) => value !== undefined,
  )
  if (limit === undefined) return Object.fromEntries(given)
  if (!/^[1-9]\d*$/.test(limit)) throw new UsageFault('--limit must be a whole number from 1.')
  return { ...Object.fromEntries(given), limit: Number(limit) }
}

/** Ctrl-C ends following normally; an interrupted export reports that the rest is missing. */
async function print({ terminal, target }: Invoked<Filters>, query: EventsQuery): Promise<void> {
  const { client, game } = await asGame(target)
  const isStopped = await interruptible(terminal, async ({ signal }) => {
    for await (const event of client.events(game, query, signal)) {
      if (signal.aborted) break
      terminal.out(JSON.stringify(event))
      await terminal.taken?.(signal)
    }
    return signal.aborted
  })
  if (isStopped && query.follow !== true) throw new CommandFault('Stopped. The output is incomplete.')
}
