// Opens the backup destination that a command line names: a folder, or `s3://bucket/prefix` with the server and the
// access key of BACKUP_S3_URL, or else of S3_URL.

import { resolve } from 'node:path'
import { type BackupDestination, BackupFault } from '../portability/backup/destination.ts'
import { folderDestination } from '../portability/backup/folder-destination.ts'
import { ArchiveFault } from '../portability/export/manifest.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { diskFault } from './local-files.ts'
import type { Terminal } from './terminal.ts'

const S3 = /^s3:\/\/([^/]+)\/?(.*)$/

/** Uses the destination and closes it. Rejects with CommandFault for faults of the destination. */
export async function withBackupDestination<Result>(
  terminal: Pick<Terminal, 'env' | 'err'>,
  named: string,
  use: (destination: BackupDestination) => Promise<Result>,
): Promise<Result> {
  const destination = await openDestination(terminal, named)
  try {
    return await use(destination)
  } catch (failure) {
    if (failure instanceof BackupFault || failure instanceof ArchiveFault) throw new CommandFault(failure.message)
    throw diskFault(named, failure)
  } finally {
    await destination.close()
  }
}

async function openDestination({ env, err }: Pick<Terminal, 'env' | 'err'>, named: string): Promise<BackupDestination> {
  const found = S3.exec(named)
  if (found === null) {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(named))
      throw new UsageFault(`${named} is neither a folder nor s3://bucket/prefix.`)
    return folderDestination(resolve(named))
  }
  const server = env.BACKUP_S3_URL || env.S3_URL
  if (!server) {
    throw new UsageFault(
      'Set BACKUP_S3_URL to https://access-key:secret@host/bucket: the server and the key of s3:// destinations.',
    )
  }
  const { addressOf } = await import('../stores/s3/address.ts')
  const { s3Destination } = await import('../portability/backup/s3-destination.ts')
  const [, bucket = '', path = ''] = found
  const url = new URL(URL.canParse(server) ? server : 'invalid://')
  url.pathname = `/${bucket}/${path}`
  const onWait = (ms: number) =>
    err(`${named} is locked: waiting up to ${ms / 1_000} s to see whether its lock is still renewed.`)
  return s3Destination(addressOf(url.href), { onWait })
}
