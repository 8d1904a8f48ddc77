// Opens the stores of a node: the embedded ones, or EventStoreDB, MongoDB and Redis. What speaks to a server is
// imported on demand: the drivers take 25 MiB and a noticeable part of a second.

import { STREAM_PREFIXES } from '../domain/streams.ts'
import { StoresFault } from '../stores/contract/faults.ts'
import type { OwnableFiles, OwnerMarker } from '../stores/contract/files.ts'
import type { DocumentStores, LogStores, MemoryStores, OpenedStores } from '../stores/contract/stores.ts'
import type { LogOptions } from '../stores/embedded/log.ts'
import {
  type EmbeddedHooks,
  openEmbedded,
  openEmbeddedDocuments,
  openEmbeddedLog,
  openEmbeddedMemory,
} from '../stores/embedded/open.ts'
import type { Right } from '../stores/eventstoredb/access.ts'
import type { ServerWarning } from '../stores/eventstoredb/check.ts'
import { folderOwner } from '../stores/files/folder-owner.ts'
import { openLocalFiles } from '../stores/files/local.ts'
import { openTogether } from '../stores/support/open-together.ts'
import type { Config, ExportConfig } from './config.ts'
import { timeOfHead } from './node-clock.ts'

export type StoreSettings = Pick<Config, 'servers' | 'redisPrefix' | 'dataDir' | 'production'>

export interface StoreHooks extends EmbeddedHooks {
  /** Called for problems of a server that are acceptable in development; in production they are errors. */
  readonly warn: (message: string) => void
  readonly onDenied?: (right: Right) => void
  readonly onReconnect?: () => void
  /** Unix milliseconds. */
  readonly now: () => number
}

/** The stores in use, as text for people. */
export const storesNamed = ({ servers }: Pick<Config, 'servers'>): string =>
  servers === null ? 'embedded log, embedded views, rankings in process' : 'EventStoreDB, MongoDB, Redis'

/** On failure closes what it opened and throws StoresFault, with the reason and the remedy. */
export function openStores(settings: StoreSettings, hooks: StoreHooks): Promise<OpenedStores> {
  const { servers, dataDir } = settings
  if (servers === null) return openEmbedded(dataDir, withStartWork(hooks))
  return openTogether({
    log: () => openLogOnServer(servers.eventStoreUrl, settings, hooks),
    documents: () => openDocumentsOnServer(servers.mongoUrl, settings, hooks),
    memory: () => openMemoryOnServer(servers.redisUrl, settings, hooks),
  })
}

/**
 * Opens log and vault for an export, each on its server if that is given, else in the data folder. An export reads
 * no rankings. Fails as `openStores` does.
 */
export function openExportedStores({ config, servers }: ExportConfig, hooks: StoreHooks): Promise<OpenedStores> {
  const { eventStoreUrl, mongoUrl } = servers
  const { dataDir } = config
  return openTogether({
    log: () =>
      eventStoreUrl === undefined
        ? openEmbeddedLog(dataDir, withStartWork(hooks))
        : openLogOnServer(eventStoreUrl, config, hooks),
    documents: () =>
      mongoUrl === undefined ? openEmbeddedDocuments(dataDir, hooks) : openDocumentsOnServer(mongoUrl, config, hooks),
    memory: async () => openEmbeddedMemory(),
  })
}

const withStartWork = (hooks: StoreHooks): EmbeddedHooks => ({
  onStartWork: reportStartWork(hooks.warn, hooks.now),
  ...hooks,
})

export const DEVELOPMENT = 'Good enough for development; production rejects it.'

async function openLogOnServer(
  url: string,
  { production }: StoreSettings,
  { warn, onDenied = () => {}, onReconnect = () => {} }: StoreHooks,
): Promise<LogStores> {
  const onForeign = (stream: string, type: string, id: string) =>
    warn(`EventStoreDB: event ${id} (${type}) in stream ${stream} was not written by Scorebook and is skipped`)
  const onDropped = () =>
    warn('EventStoreDB: the server dropped the subscription because its reader lagged; it is reopened')
  const onWarning = ({ detail, advice }: ServerWarning) => warn(`EventStoreDB: ${detail}. ${advice}`)
  const handlers = { onForeign, onDropped, onWarning, onAccess: warn, onDenied, onReconnect }
  const { openEventStore } = await import('../stores/eventstoredb/log.ts')
  const log = await openEventStore({ url, prefixes: STREAM_PREFIXES, production, ...handlers })
  const { mayAppend, streams, close } = log
  return {
    log,
    mayAppend,
    history: null,
    newestTime: () => timeOfHead(log),
    logErasure: null,
    streamErasure: streams,
    close,
  }
}

async function openDocumentsOnServer(
  url: string,
  { production }: StoreSettings,
  { warn }: StoreHooks,
): Promise<DocumentStores> {
  const { openMongo } = await import('../stores/mongodb/open.ts')
  const { views, vault, server, close } = await openMongo({ url, production })
  if (!server.isReplicated) warn(`MongoDB: a single server can lose what it acknowledged. ${DEVELOPMENT}`)
  return { views, vault, documentErasure: null, close }
}

async function openMemoryOnServer(
  url: string,
  { production, redisPrefix }: StoreSettings,
  { warn, now }: StoreHooks,
): Promise<MemoryStores> {
  const events = {
    lost: (error: Error) => warn(`Redis: the connection broke: ${error.message}`),
    back: () => warn('Redis: connected again'),
  }
  const { openRedis } = await import('../stores/redis/open.ts')
  const { faults, close, ...stores } = await openRedis({ url, namespace: redisPrefix, events })
  const found = (await faults(now)).map(({ message }) => message)
  if (production && found.length > 0) {
    await close()
    throw new StoresFault(found.join('\n'))
  }
  for (const message of found) warn(message)
  return { ...stores, close }
}

/**
 * The file store: a folder, an S3 bucket, or null. `linkKey` is the working key `link`. Throws StoresFault.
 */
export async function openFiles(
  { filesDir, s3Url, publicUrl, production }: Pick<Config, 'filesDir' | 's3Url' | 'publicUrl' | 'production'>,
  linkKey: Uint8Array,
  { warn }: Pick<StoreHooks, 'warn'>,
): Promise<OwnableFiles | null> {
  if (s3Url !== null) {
    const { openS3Files } = await import('../stores/s3/open.ts')
    // The S3 server's clock is compared with the machine's, which is used to sign requests.
    return openS3Files({ url: s3Url, production, warn, now: Date.now })
  }
  if (filesDir === null) return null
  return openLocalFiles({ folder: filesDir, publicUrl, key: linkKey })
}

/**
 * The owner marker of the file store, without opening the store: nothing is written. Null if no store is configured.
 */
export async function openFilesOwner({
  filesDir,
  s3Url,
}: Pick<Config, 'filesDir' | 's3Url'>): Promise<(OwnerMarker & { close(): void }) | null> {
  if (s3Url !== null) return (await import('../stores/s3/open.ts')).openS3Owner(s3Url)
  return filesDir === null ? null : { ...folderOwner(filesDir), close: () => {} }
}

/** Minimum milliseconds between two lines about the same work. */
const LINE_EVERY_MS = 5_000

/** Work that is complete after its first batch is not reported. */
export function reportStartWork(
  write: (message: string) => void,
  now: () => number,
): NonNullable<LogOptions['onStartWork']> {
  const reportedMs = new Map<string, number>()
  return (work, done, total) => {
    const last = reportedMs.get(work)
    const isDue = done === total ? last !== undefined : last === undefined || now() - last >= LINE_EVERY_MS
    if (!isDue) return
    reportedMs.set(work, now())
    write(`${work}: ${Math.floor((100 * done) / total)} %, ${done} of ${total} events`)
  }
}
