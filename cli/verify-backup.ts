// `scorebook backup verify`: checks what is at a backup destination, with the master key also that its installation
// wrote it.

import { sealingKeys } from '../credentials/master.ts'
import { requireBackup } from '../portability/backup/manifest.ts'
import { type VerifiedBackups, verifyBackups } from '../portability/backup/verify-destination.ts'
import { type Config, readConfig } from '../server/config.ts'
import { masterKeysOf } from '../stores/embedded/data-folder.ts'
import { withBackupDestination } from './backup-destination.ts'
import { type Answer, does, type Shell } from './command.ts'
import { EVENTS, formatInteger, progressBar } from './progress.ts'
import type { Terminal } from './terminal.ts'

interface VerifyFlags {
  readonly trust?: boolean
}

export const TRUST = '--trust'

export function verifyBackupCommand(shell: Shell, group: Shell['program'], destination: string): void {
  const verify = group
    .command('verify')
    .description(
      'check that the backups at a destination are complete and, with the master key, that nobody changed them',
    )
    .argument('<destination>', destination)
    .option(TRUST, 'check the sums only, not the authentication codes')
  does<VerifyFlags>(shell, verify, ({ terminal, options }, named = '') =>
    verifyDestination(terminal, named, options.trust === true),
  )
}

/** The settings of a data folder, without those of servers, which have no part in it. */
export function embeddedConfig({ env }: Pick<Terminal, 'env'>, more: Terminal['env'] = {}): Config {
  const embedded = { EVENTSTORE_URL: undefined, MONGODB_URL: undefined, REDIS_URL: undefined, NODE_ENV: undefined }
  return readConfig({ ...env, ...embedded, ...more })
}

async function verifyDestination(terminal: Terminal, named: string, isTrusted: boolean): Promise<Answer> {
  const config = embeddedConfig(terminal)
  const master = isTrusted ? null : await masterKeysOf(config.dataDir, config)
  const keys = master === null ? null : sealingKeys(master)
  const bar = progressBar(terminal, 'Checking', null, EVENTS)
  const onProgress = (done: number, all: number) => bar.reached(done, done / all)
  try {
    const verified = await withBackupDestination(terminal, named, async (destination) => {
      await requireBackup(destination)
      const lock = await destination.lock()
      return verifyBackups(destination, { keys, onProgress }).finally(() => lock.release())
    })
    return answerOf(verified, keys !== null)
  } finally {
    bar.drop()
  }
}

function answerOf({ backups, withoutCode, newest, secrets }: VerifiedBackups, isAuthenticated: boolean): Answer {
  const { id, events, begun } = newest
  const counts = `${formatInteger(events)} events and ${formatInteger(secrets)} secrets`
  const lines = [`verified: ${formatInteger(backups)} backups, ${counts}, restorable until ${begun}`]
  if (isAuthenticated) lines.push('The authentication codes match: this installation wrote them.')
  else {
    lines.push(
      'Only sums were checked, which anyone who can write there can make. To check the authentication codes, set MASTER_KEY, ' +
        `or DATA_DIR to the folder with secrets.json, and run it without ${TRUST}.`,
    )
  }
  if (withoutCode > 0) {
    lines.push(
      `${formatInteger(withoutCode)} older backups, of version 0.2.0 or earlier, have no code. Their ends are in the log that was checked.`,
    )
  }
  const json = { whole: true, authenticated: isAuthenticated, backups, newest: id, events, secrets }
  return { json: { ...json, without_code: withoutCode }, lines }
}
