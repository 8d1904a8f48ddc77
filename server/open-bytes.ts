// Opens a node's file store, with its upload and download routes if it is the local one.

import type { Logger } from 'pino'
import type { CommandDeps } from '../commands/command-deps.ts'
import { createDownloadUsage } from '../commands/download-usage.ts'
import { localFileRoutes } from '../http/files/routes.ts'
import type { RawRoute } from '../http/pipeline/router.ts'
import { failureText } from '../runtime/repeated-failures.ts'
import { StoresFault, StoreUnavailable } from '../stores/contract/faults.ts'
import type { FileStore, OwnableFiles } from '../stores/contract/files.ts'
import { isLocal } from '../stores/contract/local-files.ts'
import type { Transient } from '../stores/contract/transient.ts'
import { openOwnedFiles } from '../stores/owned/files.ts'
import { mayMark, type Owner, ownerFault } from '../stores/owned/ownership.ts'
import { NO_FILES } from '../stores/support/no-files.ts'
import { localFileDeps } from './compose.ts'
import type { Config } from './config.ts'
import type { FilesClaim } from './installation.ts'
import { openFiles } from './open-stores.ts'

/** Replaces the configured file store (for tests); it has no routes in this process. */
export type OwnFiles = (commands: CommandDeps) => FileStore

interface Setting {
  readonly config: Config
  readonly log: Logger
  readonly now: () => number
  readonly locks: Pick<Transient, 'lock' | 'unlock'>
  readonly ownFiles: OwnFiles | null
  readonly filesClaim: FilesClaim
}

export interface Bytes {
  readonly files: FileStore
  /** Why this process may not write to the store; null if it may. */
  filesFault(): string | null
  /** Releases the download bytes of a bucket that this process has pre-reserved; whether there were any. */
  releasePrereserved(bucket: string): Promise<boolean>
  /** Upload and download routes, if the store is the local one. */
  readonly fileRoutes: readonly RawRoute[]
  close(): Promise<void>
}

export async function openBytes(base: CommandDeps, setting: Setting): Promise<Bytes> {
  const { config, log, now, locks, ownFiles } = setting
  const withoutRoutes = (files: FileStore, fault: () => string | null = () => null) => ({
    files,
    filesFault: fault,
    releasePrereserved: async () => false,
    fileRoutes: [],
    close: () => files.close(),
  })
  if (ownFiles !== null) return withoutRoutes(ownFiles(base))
  const opened = await openFiles(config, base.keys.link, { warn: (text) => log.warn(text) })
  if (opened === null) {
    log.warn('neither FILES_DIR nor S3_URL: files cannot be uploaded or downloaded, until one is set')
    return withoutRoutes(NO_FILES)
  }
  const { files, filesFault } = await owned(opened, base, setting)
  if (!isLocal(files)) return withoutRoutes(files, filesFault)
  const refundFailed = (error: unknown) =>
    log.warn({ failure: String(error) }, 'pre-reserved download quota could not be refunded: it stays counted')
  const commands = { ...base, files }
  const downloadUsage = createDownloadUsage(commands, { now, failed: refundFailed })
  const close = async () => {
    await downloadUsage.close()
    await files.close()
  }
  const { release: releasePrereserved } = downloadUsage
  return {
    files,
    filesFault,
    releasePrereserved,
    fileRoutes: localFileRoutes(localFileDeps(commands, files, { downloadUsage, locks, now })),
    close,
  }
}

/** The store as this installation may use it, and why it may only read it, or null. */
async function owned(opened: OwnableFiles, { vault, log: events }: CommandDeps, { log, filesClaim }: Setting) {
  const { owner: installation } = filesClaim
  const report = (owner: Owner) => {
    const fault = ownerFault(owner, installation)
    if (fault === null) log.info({ installation }, 'this installation owns the file store')
    else log.warn(fault)
  }
  const onCleanUpFailure = (error: unknown) =>
    log.warn({ failure: failureText(error) }, 'the file store could not be cleaned up: trying again in some minutes')
  try {
    const options = {
      vault,
      installation,
      mayMark: () => mayMark({ files: opened, log: events, ...filesClaim }),
      onChange: report,
      onCleanUpFailure,
    }
    const { files, ownership } = await openOwnedFiles(opened, options)
    if (ownership.latest().kind !== 'this') report(ownership.latest())
    return { files, filesFault: () => ownerFault(ownership.latest(), installation) }
  } catch (failure) {
    await opened.close()
    throw failure instanceof StoreUnavailable ? new StoresFault(failure.message) : failure
  }
}
