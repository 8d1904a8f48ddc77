// `scorebook backup …`: backs up the embedded stores while the server runs, lists backups and verifies them.

import { ProblemError } from '../clients/javascript/connect.ts'
import { unsafeCast } from '../domain/event.ts'
import { type BackupLine, type BackupRequest, backupLines } from '../portability/backup/backup-lines.ts'
import type { Retention } from '../portability/backup/cleanup.ts'
import { readHeadings } from '../portability/backup/manifest.ts'
import type { OpenSource } from '../portability/backup/receive-lines.ts'
import { type WrittenBackup, writeBackup } from '../portability/backup/write-backup.ts'
import { readConfig } from '../server/config.ts'
import { shareOf } from '../stores/support/positions.ts'
import { asOperator } from './authenticated-clients.ts'
import { withBackupDestination } from './backup-destination.ts'
import { type Answer, does, type Invoked, type Shell } from './command.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { hereOrByServer } from './own-stores.ts'
import { EVENTS, formatInteger, progressBar } from './progress.ts'
import { bytesText } from './sizes.ts'
import type { Target } from './target.ts'
import { interruptible, type Terminal, withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'
import { verifyBackupCommand } from './verify-backup.ts'

interface BackupFlags {
  readonly to?: string
  readonly keep?: string
}

const DESTINATION = 'a folder, or s3://bucket/prefix on the server of BACKUP_S3_URL or S3_URL'
const LINES_TOGETHER = 500

export function backupCommands(shell: Shell): void {
  const group = shell.program
    .command('backup')
    .description('back up the data folder while the server runs, list backups and verify them')
    .argument('[destination]', `where the backups are: ${DESTINATION}`)
    .option('--to <destination>', 'the same')
    .option('--keep <number>', 'keep the newest 30 backups (30), or those of the last 30 days (30d); default: all')
  withExamples(
    group,
    'backup /mnt/backups --keep 30d',
    'backup --to s3://backups/scorebook',
    'backup list /mnt/backups',
    'backup verify /mnt/backups',
  )
  does<BackupFlags>(shell, group, backUp)
  const list = group
    .command('list')
    .description('list the backups at a destination')
    .argument('<destination>', DESTINATION)
  does(shell, list, ({ terminal }, destination = '') => listBackups(terminal, destination))
  verifyBackupCommand(shell, group, DESTINATION)
}

async function backUp({ terminal, target, options }: Invoked<BackupFlags>, destination?: string): Promise<Answer> {
  const to = destination ?? options.to
  if (to === undefined || to === '') throw new UsageFault(`Pass where the backups are: ${DESTINATION}.`)
  if (to !== (options.to ?? to)) throw new UsageFault('Pass the destination once: as argument, or with --to.')
  const retention = retentionOf(options.keep)
  if (options.url === undefined && options.keyFile === undefined && readConfig(terminal.env).servers !== null) {
    throw new CommandFault(
      'This backs up a data folder. Here the data is on servers: docs/servers.md has the order of their backups.',
    )
  }
  return hereOrByServer(terminal, options, {
    here: ({ opened, keys }) => {
      const source = { ...opened, installation: keys.installation, key: keys.backup }
      return backedUp(terminal, to, retention, (request, ending) => backupLines(source, request, ending))
    },
    byServer: async () => {
      // The server may be on this machine, and its callers wait for it.
      terminal.giveWay?.()
      return backedUp(terminal, to, retention, await ofServer(target))
    },
  })
}

function retentionOf(keep: string | undefined): Retention {
  if (keep === undefined) return null
  const [, number = '', days] = /^([1-9]\d{0,4})(d)?$/.exec(keep) ?? []
  if (number === '') throw new UsageFault('--keep must be a number of backups (30) or of days (30d).')
  return days === undefined ? { backups: Number(number) } : { days: Number(number) }
}

async function ofServer(target: Target): Promise<OpenSource> {
  const operator = await asOperator(target)
  return async function* (request, ending) {
    let lines: BackupLine[] = []
    try {
      for await (const line of operator.backup(queryOf(request), ending)) {
        lines.push(unsafeCast<BackupLine>(line))
        if (lines.length < LINES_TOGETHER) continue
        yield lines
        lines = []
      }
    } catch (failure) {
      if (!(failure instanceof ProblemError)) throw failure
      if (failure.status === 400) {
        throw new CommandFault('This server is older than this command: upgrade it, or use the command of its version.')
      }
      if (failure.status !== 404) throw failure
      throw new CommandFault(
        'This server has its data on database servers (or is older than this command): docs/servers.md has the order of their backups.',
      )
    }
    yield lines
  }
}

function queryOf({ from, coded }: BackupRequest) {
  const { last, events, chain, code } = coded?.after ?? {}
  const after = coded?.after == null ? 'beginning' : [last, events, chain, code].join('_')
  return { from: from ?? undefined, after }
}

async function backedUp(terminal: Terminal, to: string, retention: Retention, open: OpenSource): Promise<Answer> {
  const bar = progressBar(terminal, 'Backing up', null, EVENTS)
  let first: string | null = null
  const onProgress = (events: number, last: string, head: string) => {
    first ??= last
    const [from, at] = [shareOf(first, head), shareOf(last, head)]
    bar.reached(events, from < 1 ? (at - from) / (1 - from) : 1)
  }
  try {
    const written = await interruptible(terminal, ({ signal: ending }) =>
      withBackupDestination(terminal, to, (destination) =>
        writeBackup({ destination, open, retention, ending, now: Date.now, onProgress }),
      ),
    )
    bar.end()
    return answerOf(to, written)
  } catch (failure) {
    bar.drop()
    throw failure
  }
}

function answerOf(to: string, { manifest, newEvents, rewritten, removed }: WrittenBackup): Answer {
  const { id, events, until, head } = manifest
  const lines = [`Backup ${id} is in ${to}: ${formatInteger(events)} events, ${formatInteger(newEvents)} of them new.`]
  if (rewritten > 0)
    lines.push(`${formatInteger(rewritten)} older chunks were rewritten without data that was deleted since.`)
  if (removed.length > 0) lines.push(`Removed ${formatInteger(removed.length)} older backups.`)
  lines.push(
    'The master key is not in it, nor are bytes of files: copy FILES_DIR after each backup, or replicate the bucket.',
  )
  return { json: { id, events, new_events: newEvents, until, head, rewritten, removed }, lines }
}

async function listBackups(terminal: Terminal, named: string): Promise<Answer> {
  const backups = await withBackupDestination(terminal, named, readHeadings)
  const newest = backups.at(-1)
  const json = backups.map(({ authentication, id, made, begun, events, until, head }) => {
    return { id, made, begun, events, until, head, code: authentication !== null }
  })
  if (newest === undefined) return { json, lines: [`There is no backup in ${named}.`] }
  const rows = backups.map(({ authentication, id, begun, events, head }) => {
    return [id, begun, formatInteger(events), head ?? '—', authentication === null ? 'no: --trust' : 'yes']
  })
  const columns = [
    { title: 'backup' },
    { title: 'restorable until' },
    { title: 'events', align: 'right' as const },
    { title: 'position' },
    { title: 'code' },
  ]
  return { json, lines: [...textTable(columns, rows, terminal.columns), '', `${bytesText(newest.bytes)} in all.`] }
}
