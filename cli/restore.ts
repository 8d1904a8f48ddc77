// `scorebook restore`: makes a new data folder from a backup, up to its end or an earlier instant or position. With
// --servers it is the last step of a restore of database servers.

import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CommandDeps } from '../commands/command-deps.ts'
import { setPermissions } from '../commands/key.ts'
import { randomIds } from '../credentials/command-ids.ts'
import { sealingKeys } from '../credentials/master.ts'
import { OtherMasterKey, openCodes, requireAuthentic } from '../portability/backup/authenticity.ts'
import type { BackupDestination } from '../portability/backup/destination.ts'
import { readHeading, requireBackup, requireNewest } from '../portability/backup/manifest.ts'
import type { NarrowedKey } from '../portability/backup/narrowed-keys.ts'
import { renewInstallation } from '../portability/backup/renew-installation.ts'
import { type Restored, restoreBackup } from '../portability/backup/restore.ts'
import { restorePoint } from '../portability/backup/restore-point.ts'
import { type Config, readConfig } from '../server/config.ts'
import { issueOperator, operatorFile } from '../server/operator.ts'
import {
  beginRestore,
  discardRestore,
  endRestore,
  isRestoreUnfinished,
  masterKeysOf,
} from '../stores/embedded/data-folder.ts'
import { shareOf } from '../stores/support/positions.ts'
import { withBackupDestination } from './backup-destination.ts'
import { type Answer, does, type Invoked, type Shell } from './command.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { commandsWith } from './init.ts'
import { diskFault } from './local-files.ts'
import { openHere, withOwnStores } from './own-stores.ts'
import { EVENTS, formatInteger, type ProgressBar, progressBar } from './progress.ts'
import { type Terminal, withExamples } from './terminal.ts'
import { embeddedConfig, TRUST } from './verify-backup.ts'

interface RestoreFlags {
  readonly from?: string
  readonly to?: string
  readonly at?: string
  readonly backup?: string
  readonly servers?: boolean
  readonly trust?: boolean
}

/** What the target may contain: the copied master key. */
const ALLOWED = 'secrets.json'

export function restoreCommand(shell: Shell): void {
  const command = shell.program
    .command('restore')
    .description('make a new data folder from a backup, up to an instant or a position')
    .option('--from <destination>', 'where the backups are: a folder, or s3://bucket/prefix')
    .option('--to <folder>', 'the new data folder: missing, empty, or with nothing but a copy of secrets.json')
    .option('--at <time|position>', 'the last instant (2026-11-25T09:30:00Z) or event; default: the end of the backup')
    .option('--backup <id>', 'this backup instead of the newest; `scorebook backup list` names them')
    .option(TRUST, 'restore although nobody can tell who wrote the backup: only if nobody else can write there')
    .option(
      '--servers',
      'instead: finish the restore of EventStoreDB and MongoDB (docs/operations.md), all processes stopped',
    )
  withExamples(
    command,
    'restore --from /mnt/backups --to /srv/scorebook   # with MASTER_KEY, or secrets.json in that folder',
    'restore --from s3://backups/scorebook --to /srv/scorebook --at 2026-11-25T09:30:00Z',
    'restore --servers',
  )
  does<RestoreFlags>(shell, command, restore)
}

async function restore({ terminal, options }: Invoked<RestoreFlags>): Promise<Answer> {
  const { from, to, at = null, backup = null, servers = false, trust = false } = options
  if (servers) {
    if (trust || [from, to, at, backup].some((given) => given != null))
      throw new UsageFault('--servers goes with no other option of this command.')
    return restoreServers(terminal)
  }
  if (from === undefined || from === '')
    throw new UsageFault('Pass the folder or the bucket of the backups with --from.')
  if (to === undefined || to === '') throw new UsageFault('Pass the new data folder with --to.')
  const config = embeddedConfig(terminal, { DATA_DIR: resolve(to) })
  const isBegun = isRestoreUnfinished(config.dataDir)
  if (!isBegun) await refuseUnlessEmpty(config.dataDir)
  const master = await masterKeysOf(config.dataDir, config)
  if (master === null) {
    throw new CommandFault(
      'A backup does not contain the master key. Set MASTER_KEY to the key of the installation that was backed up, or copy ' +
        `its secrets.json into ${to} first.`,
    )
  }
  return withBackupDestination(terminal, from, async (destination) => {
    await requireBackup(destination)
    const lock = await destination.lock()
    try {
      const restored = await restoredInto(terminal, destination, config, {
        at,
        backup,
        master,
        isBegun,
        isTrusted: trust,
      }).catch((failure: unknown) => {
        if (!(failure instanceof OtherMasterKey)) throw failure
        throw new CommandFault(
          `${failure.message} A restore can also use a copy of that file in ${to}. Nothing was restored.`,
        )
      })
      return answerOf(restored, to, config)
    } finally {
      await lock.release()
    }
  })
}

async function refuseUnlessEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return []
    throw diskFault(folder, failure)
  })
  if (names.every((name) => name === ALLOWED)) return
  throw new CommandFault(
    `${folder} is not empty. A backup is restored into an empty folder only: name another one with --to.`,
  )
}

interface Wanted {
  readonly at: string | null
  readonly backup: string | null
  readonly master: NonNullable<Awaited<ReturnType<typeof masterKeysOf>>>
  readonly isTrusted: boolean
  /** Whether an earlier restore into the folder was interrupted. This one replaces it. */
  readonly isBegun: boolean
}

async function restoredInto(
  terminal: Terminal,
  destination: BackupDestination,
  config: Config,
  { at, backup, master, isBegun, isTrusted }: Wanted,
): Promise<Restored> {
  const newest = await requireNewest(destination)
  const heading = backup === null ? newest : await readHeading(destination, backup)
  const keys = sealingKeys(master)
  const codes = isTrusted ? trusting(terminal, destination) : await openCodes(destination, newest, keys)
  if (codes !== null) requireAuthentic(destination, codes, heading)
  const point = restorePoint(heading, at)
  const { onProgress, drop } = progressReporter(terminal)
  if (isBegun) await discardUnfinished(config, terminal)
  await beginRestore(config.dataDir)
  const opened = await openHere(config, terminal)
  let restored: Restored
  try {
    restored = await restoreBackup(opened, keys, {
      ...{ destination, newest, point, codes, onProgress },
      finish: async (stores, keys, narrowed) => {
        const deps = commandsWith(opened, stores, keys)
        await narrowKeys(deps, narrowed, Date.now())
        await issueOperator(deps, config.dataDir, Date.now())
      },
    })
  } finally {
    drop()
    await opened.close()
  }
  await endRestore(config.dataDir)
  return restored
}

function trusting({ err }: Terminal, { shown }: BackupDestination): null {
  err(
    `${TRUST}: the authentication codes are not checked. Everybody who could write to ${shown} can have added an operator key, keys ` +
      'of games or scores to this restore. Serve it only if you know that nobody else could.',
  )
  return null
}

async function narrowKeys(deps: CommandDeps, narrowed: readonly NarrowedKey[], nowMs: number): Promise<void> {
  for (const key of narrowed) {
    const context = { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs }
    await setPermissions(deps, { ...key, mayGrant: () => {} }, context)
  }
}

/** Throws CommandFault if a process is still at it. */
async function discardUnfinished(config: Config, terminal: Terminal): Promise<void> {
  await (await openHere(config, terminal)).close()
  await discardRestore(config.dataDir)
}

function progressReporter(terminal: Terminal) {
  let phase = ''
  let bar: ProgressBar | null = null
  return {
    onProgress: (now: 'checking' | 'restoring', done: number, all: number) => {
      if (now !== phase) {
        bar?.end()
        bar = progressBar(terminal, now === 'checking' ? 'Checking' : 'Restoring', all, EVENTS)
      }
      phase = now
      bar?.reached(done, done / all)
    },
    drop: () => bar?.drop(),
  }
}

function answerOf(restored: Restored, to: string, { dataDir }: Config): Answer {
  const { events, deletionEvents, secretsLeftOut, narrowedKeys, until, installation } = restored
  const file = operatorFile(dataDir)
  const lines = [
    `${formatInteger(events)} events were restored into ${to}, up to ${until}. The next start builds the views from them.`,
    ...lineIf(
      deletionEvents,
      (count) => `${count} of them are later: players and games deleted and keys revoked since stay so.`,
    ),
    ...lineIf(
      narrowedKeys,
      (count) => `Keys that have fewer permissions than at that point, because some were withdrawn since: ${count}.`,
    ),
    ...lineIf(
      secretsLeftOut,
      (count) => `Secrets left out, because their players, logins or keys did not exist at that point: ${count}.`,
    ),
    `All sessions ended. A new operator key is in ${file}; earlier ones stay valid.`,
    'Bytes of files are not in a backup: copy FILES_DIR, or let this installation use the same store.',
    `It is a new installation, ${installation}, and owns no file store: downloads work, uploads are 503 files_off, and it deletes no bytes. ` +
      'If it replaces the old installation for good, stop that one, and run `scorebook files adopt`. For a drill, do not.',
    'Back up to a new destination from now on.',
  ]
  const counts = { deletion_events: deletionEvents, secrets_left_out: secretsLeftOut, narrowed_keys: narrowedKeys }
  return { json: { events, ...counts, until, installation, operator_file: file }, lines }
}

const lineIf = (count: number, line: (shown: string) => string): string[] =>
  count === 0 ? [] : [line(formatInteger(count))]

/** Run it with every process stopped, and the log and the vault restored. */
async function restoreServers(terminal: Terminal): Promise<Answer> {
  const config = readConfig(terminal.env)
  const { servers, redisPrefix } = config
  if (servers === null) {
    throw new CommandFault(
      'The configuration names no servers. For a data folder use `scorebook restore --from <destination> --to <folder>`.',
    )
  }
  return withOwnStores(config, terminal, async (opened, master) => {
    const bar = progressBar(terminal, 'Reading the log', null, EVENTS)
    const renewed = await renewInstallation(opened, sealingKeys(master), (events, last, head) =>
      bar.reached(events, shareOf(last, head)),
    ).finally(bar.drop)
    const { installation, sessions, unknownSecrets, views } = renewed
    const { clearRedis } = await import('../stores/redis/redis.ts')
    const keys = await clearRedis(servers.redisUrl, redisPrefix)
    const dropped = `${formatInteger(views)} views and ${formatInteger(keys)} keys in Redis were deleted`
    return {
      json: { installation, sessions, unknown_secrets: unknownSecrets, views, redis_keys: keys },
      lines: [
        `${dropped}. The next start builds the views from the log.`,
        `All ${formatInteger(sessions)} sessions ended. Tokens, links, codes and positions from before are refused; keys, passwords and guest tokens stay valid.`,
        `${formatInteger(unknownSecrets)} secrets of players, logins and keys that the log does not have were destroyed.`,
        `This is a new installation, ${installation}, and does not own the file store: until \`scorebook files adopt\`, uploads are 503 files_off. ` +
          'Run that once nothing else uses the store.',
        'Start one projector, wait until it is ready, and start the rest. Then run `scorebook doctor`.',
      ],
    }
  })
}
