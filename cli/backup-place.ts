// Opens the backup place that a command line names: a folder, or `s3://bucket/prefix` with the server and the access key of
// BACKUP_S3_URL, or else of S3_URL.

import { resolve } from 'node:path'
import { ArchiveFault } from '../archive/manifest.ts'
import { folderPlace } from '../backup/folder-place.ts'
import { BackupFault, type BackupPlace } from '../backup/place.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { diskFault } from './local-files.ts'
import type { Terminal } from './terminal.ts'

const S3 = /^s3:\/\/([^/]+)\/?(.*)$/

/** Uses the place and closes it. Rejects with CommandFault for faults of the place. */
export async function withBackupPlace<Result>(
  terminal: Pick<Terminal, 'env' | 'err'>,
  named: string,
  use: (place: BackupPlace) => Promise<Result>,
): Promise<Result> {
  const place = await openPlace(terminal, named)
  try {
    return await use(place)
  } catch (failure) {
    if (failure instanceof BackupFault || failure instanceof ArchiveFault) throw new CommandFault(failure.message)
    throw diskFault(named, failure)
  } finally {
    await place.close()
  }
}

async function openPlace({ env, err }: Pick<Terminal, 'env' | 'err'>, named: string): Promise<BackupPlace> {
  const found = S3.exec(named)
  if (found === null) {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(named))
      throw new UsageFault(`${named} is neither a folder nor s3://bucket/prefix.`)
    return folderPlace(resolve(named))
  }
  const server = env.BACKUP_S3_URL || env.S3_URL
  if (!server) {
    throw new UsageFault(
      'Set BACKUP_S3_URL to https://access-key:secret@host/bucket: the server and the key of s3:// places.',
    )
  }
  const { addressOf } = await import('../stores/s3/address.ts')
  const { s3Place } = await import('../backup/s3-place.ts')
  const [, bucket = '', path = ''] = found
  const url = new URL(URL.canParse(server) ? server : 'invalid://')
  url.pathname = `/${bucket}/${path}`
  const onWait = (ms: number) =>
    err(`${named} is locked: waiting up to ${ms / 1_000} s to see whether its lock is still renewed.`)
  return s3Place(addressOf(url.href), { onWait })
}
