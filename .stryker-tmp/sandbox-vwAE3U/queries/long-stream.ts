// Queues reads that hold a player's whole stream on a board, if the stream is long.

import type { Log } from '../stores/contract/log.ts'
import type { ReadCaller, ReadQueue } from './work-queue.ts'

/** Longer streams are queued: many such reads at once would fill the memory. */
const LONG = 1_000

/** Runs `work`; in the queue if the stream is long, with the errors of the queue. */
export async function queuedIfLong<Result>(
  { queue, log }: { readonly queue: ReadQueue; readonly log: Pick<Log, 'readStream'> },
  stream: string,
  work: () => Promise<Result>,
  caller: ReadCaller,
): Promise<Result> {
  const isLong = (await log.readStream(stream, LONG, 1)).length > 0
  return isLong ? queue.run(caller, 'past', work) : work()
}
