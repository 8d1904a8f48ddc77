// Opens a node's file store, with its upload and download routes if it is the local one.

import type { Logger } from 'pino'
import type { CommandDeps } from '../commands/command-deps.ts'
import { createDownloadUsage } from '../commands/download-usage.ts'
import type { Config } from '../config.ts'
import { localFileRoutes } from '../http/files/routes.ts'
import type { FileStore } from '../stores/contract/files.ts'
import { isLocal } from '../stores/contract/local-files.ts'
import { NO_FILES } from '../stores/support/no-files.ts'
import { localFileDeps } from './compose.ts'
import { openFiles } from './open-stores.ts'

/** Replaces the configured file store (for tests); it has no routes in this process. */
export type OwnFiles = (commands: CommandDeps) => FileStore

interface Setting {
  readonly config: Config
  readonly log: Logger
  readonly now: () => number
  readonly ownFiles: OwnFiles | null
}

/** The file store and, if it is the local one, its routes. */
export async function openBytes(base: CommandDeps, { config, log, now, ownFiles }: Setting) {
  const withoutRoutes = (files: FileStore) => ({
    files,
    releasePrereserved: async () => false,
    fileRoutes: [],
    close: () => files.close(),
  })
  if (ownFiles !== null) return withoutRoutes(ownFiles(base))
  const files = await openFiles(config, base.keys.link, { warn: (text) => log.warn(text) })
  if (files === null) {
    log.warn('neither FILES_DIR nor S3_URL: files cannot be uploaded or downloaded, until one is set')
    return withoutRoutes(NO_FILES)
  }
  if (!isLocal(files)) return withoutRoutes(files)
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
    releasePrereserved,
    fileRoutes: localFileRoutes(localFileDeps(commands, files, downloadUsage, now)),
    close,
  }
}
