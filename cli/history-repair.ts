// `scorebook history repair`: numbers streams of the embedded log again that have gaps or duplicates in their
// revisions.

import { readConfig } from '../server/config.ts'
import { FolderInUse } from '../stores/contract/faults.ts'
import { isRestoreUnfinished } from '../stores/embedded/data-folder.ts'
import type { RenumberedEvent, RepairedStream, RepairPlan } from '../stores/embedded/log-repair-plan.ts'
import { type LogRepair, openLogRepair } from '../stores/embedded/repair-log.ts'
import type { Answer, Invoked } from './command.ts'
import { CommandFault } from './failure.ts'
import { EVENTS, formatInteger, progressBar } from './progress.ts'
import { printable } from './terminal.ts'

export interface RepairOptions {
  readonly dryRun?: boolean
  readonly acceptGaps?: boolean
}

/** Streams, and changed events of each, that are shown; --json has all. */
const STREAMS_SHOWN = 50
const EVENTS_SHOWN = 20
const RUNS_SHOWN = 20

const ON_A_SERVER =
  'EventStoreDB assigns the revisions itself: its streams have no gap and no duplicate. Nothing to repair.'

export async function repairHistory(invoked: Invoked<RepairOptions>): Promise<Answer> {
  const { terminal, target, options } = invoked
  const config = readConfig(terminal.env)
  if (config.servers !== null) return { json: jsonOf(NOTHING, false, options), lines: [ON_A_SERVER] }
  if (isRestoreUnfinished(config.dataDir)) {
    throw new CommandFault(`A restore into ${config.dataDir} was not finished: run \`scorebook restore\` again.`)
  }
  const repair = await opened(config.dataDir)
  try {
    const plan = await planned(invoked, repair)
    if (plan.streams.length === 0) {
      const lines = ['No stream of the log has a gap or a duplicate. Nothing to repair.']
      return { json: jsonOf(plan, false, options), lines }
    }
    const lines = plan.streams.slice(0, STREAMS_SHOWN).flatMap(streamLines)
    if (plan.streams.length > STREAMS_SHOWN)
      lines.push(`… and ${formatInteger(plan.streams.length - STREAMS_SHOWN)} more streams; --json lists them.`)
    lines.push('', ...summaryLines(plan))
    if (options.dryRun === true) {
      lines.push(...dryRunLines(plan, target.invocation))
      return { json: jsonOf(plan, false, options), lines }
    }
    if (gapsIn(plan) > 0 && options.acceptGaps !== true) throw new CommandFault(refusal(plan, target.invocation))
    await repair.apply(plan)
    lines.push(...repairedLines(target.invocation))
    return { json: jsonOf(plan, true, options), lines }
  } finally {
    await repair.close()
  }
}

const NOTHING: RepairPlan = { streams: [], rows: [], references: 0 }

/** Throws CommandFault if a server has the folder open, or if there is no log in it. */
async function opened(dataDir: string): Promise<LogRepair> {
  const repair = await openLogRepair(dataDir).catch((failure: unknown) => {
    if (!(failure instanceof FolderInUse)) throw failure
    throw new CommandFault(`${failure.message}. Stop the server first.`)
  })
  if (repair !== null) return repair
  throw new CommandFault(`There is no log in ${dataDir}. Set DATA_DIR to the data folder.`)
}

async function planned({ terminal }: Invoked<RepairOptions>, repair: LogRepair): Promise<RepairPlan> {
  const bar = progressBar(terminal, 'Reading', null, EVENTS)
  try {
    return await repair.plan((done, total) => bar.reached(done, total === 0 ? null : done / total))
  } finally {
    bar.drop()
  }
}

const gapsIn = ({ streams }: RepairPlan): number => streams.reduce((sum, { gaps }) => sum + gaps, 0)

const changedIn = ({ streams }: RepairPlan): number =>
  streams.reduce((sum, { events }) => sum + events.filter(isChanged).length, 0)

const isChanged = ({ before, after }: RenumberedEvent): boolean => before !== after

function streamLines({ stream, gaps, duplicates, events }: RepairedStream): string[] {
  const changed = events.filter(isChanged)
  const kinds = new Map<string, number>()
  for (const { type } of events) kinds.set(type, (kinds.get(type) ?? 0) + 1)
  const faults = [counted(duplicates, 'duplicate'), counted(gaps, 'missing revision')].filter((text) => text !== '')
  return [
    `${printable(stream)}: ${faults.join(', ')}`,
    `  events     ${[...kinds].map(([type, count]) => `${formatInteger(count)} ${type}`).join(', ')}`,
    `  positions  ${events[0]?.position} to ${events.at(-1)?.position}`,
    `  revisions  ${runsOf(events.map(({ before }) => before))}`,
    `  become     ${runsOf(events.map(({ after }) => after))}`,
    ...changed
      .slice(0, EVENTS_SHOWN)
      .map(({ position, type, before, after }) => `  ${position}  ${type}  ${before} -> ${after}`),
    ...(changed.length > EVENTS_SHOWN ? [`  … and ${formatInteger(changed.length - EVENTS_SHOWN)} more events`] : []),
  ]
}

/** Revisions that follow each other are shown by the first and the last one. */
function runsOf(revisions: readonly number[]): string {
  const runs: { readonly first: number; last: number }[] = []
  for (const revision of revisions) {
    const run = runs.at(-1)
    if (run !== undefined && revision === run.last + 1) run.last = revision
    else runs.push({ first: revision, last: revision })
  }
  const shown = runs.slice(0, RUNS_SHOWN).map(({ first, last }) => (first === last ? `${first}` : `${first}..${last}`))
  return runs.length > RUNS_SHOWN ? `${shown.join(', ')}, …` : shown.join(', ')
}

const counted = (count: number, noun: string): string =>
  count === 0 ? '' : `${formatInteger(count)} ${noun}${count === 1 ? '' : 's'}`

function summaryLines(plan: RepairPlan): string[] {
  const { streams, references } = plan
  const lines = [
    `${counted(streams.length, 'stream')} to repair. ${counted(changedIn(plan), 'event')} to get another revision. No event is removed.`,
  ]
  if (references > 0)
    lines.push(`${counted(references, 'event')} of other streams to name these by their new revision.`)
  const gaps = gapsIn(plan)
  if (gaps > 0) {
    lines.push(
      `${counted(gaps, 'revision')} missing: events may be lost that a backup from before has. The repair closes the gap.`,
    )
  }
  return lines
}

function dryRunLines(plan: RepairPlan, invocation: string): string[] {
  const flag = gapsIn(plan) > 0 ? ' --accept-gaps' : ''
  return [`Nothing was changed. \`${invocation} history repair${flag}\` makes this repair.`]
}

const refusal = (plan: RepairPlan, invocation: string): string =>
  `${counted(gapsIn(plan), 'revision')} missing, so events may be lost. Nothing was changed. \`${invocation} history repair --dry-run\` ` +
  'shows them. If a backup from before has them, restore it; to go on without them, pass --accept-gaps.'

const repairedLines = (invocation: string): string[] => [
  'Repaired. The views and the index of the log were removed: the next start builds them from the log.',
  `Start the server, and run \`${invocation} verify\`. Then make a new backup: it writes what has the old revisions again.`,
]

const jsonOf = ({ streams, references }: RepairPlan, repaired: boolean, { dryRun = false }: RepairOptions) => ({
  repaired,
  dry_run: dryRun,
  streams,
  references,
})
