// The state after crashes and all retention times: the installation is started hours later, until its uploads have
// ended and its store was swept. Then the quota must match the stored files, and the store must have no other blobs.

import { join } from 'node:path'
import { pino } from 'pino'
import { foldStream } from '../../commands/fold.ts'
import { recordedAt, unsafeCast } from '../../domain/event.ts'
import { type FileAt, file } from '../../domain/file.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import type { Quota } from '../../domain/quota-state.ts'
import { ORPHANS_KEPT_MS } from '../../reactions/blobs.ts'
import type { Config } from '../../server/config.ts'
import { start } from '../../server/start.ts'
import type { Log } from '../../stores/contract/log.ts'
import { realDisk } from '../../stores/files/disk.ts'
import { sweepTemporary } from '../../stores/files/local.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { type StoresOf, withStores } from '../crash/stores-of.ts'
import { pause } from '../until.ts'
import { filesBelow } from './files-api.ts'

const SWEEP_WAIT_MS = 180_000
const RECHECK_MS = 50

interface Aftermath {
  readonly faults: readonly string[]
  readonly files: number
  /** Blobs that the sweeps removed. */
  readonly swept: number
}

/** For an installation whose processes have ended, with one bucket, and its files in `filesDir`. */
export async function aftermathOf(
  world: StoresOf,
  bucket: string,
  filesDir = join(world.dataDir, 'files'),
): Promise<Aftermath> {
  const lying = storedBelow(filesDir).length
  await sweepTemporary(realDisk, filesDir, Number.POSITIVE_INFINITY)
  const kept = await hoursLater(world, filesDir, bucket)
  const left = storedBelow(filesDir).map((path) => path.split('/').at(-1) ?? '')
  const counted = await withStores(world, ({ log }) => foldStream(log, quota, quotaStream(bucket)))
  const faults = [
    ...left.filter((blob) => !kept.blobs.has(blob)).map((blob) => `${blob} belongs to no file and still exists`),
    ...[...kept.blobs]
      .filter((blob) => !left.includes(blob))
      .map((blob) => `${blob} is a file's and does not lie there`),
    ...quotaFaults(counted, kept),
  ]
  return { faults, files: kept.files, swept: lying - left.length }
}

/** Without the owner marker. */
const storedBelow = (filesDir: string): string[] => filesBelow(filesDir).filter((path) => path !== 'owner')

interface Kept {
  readonly blobs: ReadonlySet<string>
  readonly files: number
  readonly bytes: number
}

function quotaFaults({ bytes, files, uploads, deletions }: Quota, kept: Kept): string[] {
  const faults: string[] = []
  if (bytes !== kept.bytes) faults.push(`the quota counts ${bytes} bytes, the files hold ${kept.bytes}`)
  if (files !== kept.files) faults.push(`the quota counts ${files} files, there are ${kept.files}`)
  if (uploads.size > 0) faults.push(`${uploads.size} uploads hold room for ever`)
  if (deletions.size > 0) faults.push(`${deletions.size} deletions were never ended`)
  return faults
}

/** Runs the installation at a time when every upload has expired and every orphaned blob is old enough. */
async function hoursLater({ dataDir, storeUrls }: StoresOf, filesDir: string, bucket: string): Promise<Kept> {
  const lateMs = Date.now() + 2 * ORPHANS_KEPT_MS
  const began = performance.now()
  const config: Config = { ...BASE_CONFIG, dataDir, filesDir, ...storeUrls }
  for (;;) {
    const running = await start(config, pino({ level: 'silent' }), () => lateMs + performance.now() - began)
    try {
      await pause(20 * RECHECK_MS)
    } finally {
      await running.stop()
    }
    const { kept, open } = await withStores({ dataDir, storeUrls }, async ({ log }) => {
      const { uploads, deletions } = await foldStream(log, quota, quotaStream(bucket))
      return { kept: await keptBy(log, bucket), open: uploads.size + deletions.size }
    })
    const isOver = open === 0 && storedBelow(filesDir).length === kept.blobs.size
    if (isOver || performance.now() - began > SWEEP_WAIT_MS) return kept
  }
}

/** By the files' events: the blobs of all buckets, and the stored bytes of this one. */
async function keptBy(log: Log, bucket: string): Promise<Kept> {
  const states = new Map<string, FileAt>()
  for (let after: string | null = null; ; ) {
    const events = await log.readAll(after, 1_000)
    for (const event of events) {
      if (!event.stream.startsWith('file-')) continue
      states.set(
        event.stream,
        file.evolve(states.get(event.stream) ?? file.initial, unsafeCast(event), recordedAt(event)),
      )
    }
    if (events.length === 0) break
    after = events.at(-1)?.position ?? null
  }
  const blobs = new Set([...states.values()].flatMap(({ current }) => current?.blob ?? []))
  const inBucket = [...states].filter(([stream]) => stream.startsWith(`file-${bucket}.`))
  const sizes = inBucket.flatMap(([, { current }]) => current?.size ?? [])
  return { blobs, files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}
