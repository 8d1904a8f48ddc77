// A bucket with counted downloads, and nodes that count them and may die.

import { offerDownload } from '../../commands/download.ts'
import { createDownloadUsage } from '../../commands/download-usage.ts'
import { createHandler } from '../../commands/handle.ts'
import { MAX_COMMAND_WAIT_MS } from '../../commands/stream-writer.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { bucket, bucketStream, createBucket, NEW_BUCKET } from '../../domain/bucket.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'

const START_MS = Date.UTC(2026, 10, 21)
/** Tests call `flush` themselves. */
const NEVER_MS = 2 ** 31 - 1
const place = { bucket: 'k1', game: 'g1' }
const unexpected = (error: unknown) => {
  throw error
}

export async function world(monthlyDownloadBytes = NEW_BUCKET.monthlyDownloadBytes, failed = unexpected) {
  const clock = { nowMs: START_MS, elapsedMs: 0 }
  const log = createMemoryLog()
  const limits = { ...NEW_BUCKET, monthlyDownloadBytes }
  const context = () => {
    return { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs: clock.nowMs }
  }
  /** By default the bucket is busy from the second download on. */
  const node = (busyFrom: number | undefined = 2) => {
    let isDead = false
    const append: Log['append'] = (...asked) =>
      isDead ? Promise.reject(new NotSent('the node is dead')) : log.append(...asked)
    const handler = createHandler({ ...log, append }, { elapsedMs: () => clock.elapsedMs })
    const files = { downloadLink: async ({ download }: { readonly download: string }) => download }
    const releasePrereserved = (bucket: string) => downloadUsage.release(bucket)
    const commands = {
      handler,
      log,
      publish: async () => {},
      vault: null,
      keys: null,
      files,
      releasePrereserved,
    } as never
    const downloadUsage = createDownloadUsage(commands, {
      now: () => clock.nowMs,
      failed: (error) => isDead || failed(error),
      everyMs: NEVER_MS,
      busyFrom,
    })
    const offer = async (size: number) => {
      const file = { blob: 'b', size, contentType: 'a/b', sha256: null, name: 'x' }
      return (await offerDownload(commands, place, { file, limits, asker: 'p1' }, context())).url
    }
    const dies = () => {
      isDead = true
    }
    return { downloadUsage, offer, dies }
  }
  const made = createBucket({ name: 'B', limits })
  await createHandler(log).handle(bucket, { stream: bucketStream('k1'), game: 'g1' }, context(), made)
  const events = () => log.readStream(quotaStream('k1'), 0, 100_000)
  const reading = createHandler(log)
  const about = { stream: quotaStream('k1'), game: 'g1' }
  const now = async () => (await reading.handle(quota, about, context(), () => [])).after
  const counted = async () => (await now()).sent
  /** From now on no append is answered; each uses up the time limit of its command. */
  const failAppends = () => {
    log.append = () => {
      clock.elapsedMs += MAX_COMMAND_WAIT_MS + 1
      return Promise.reject(new Error('away'))
    }
  }
  return { clock, log, node, ...node(), events, now, counted, failAppends }
}
