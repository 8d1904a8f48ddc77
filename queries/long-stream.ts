// Reads that hold all of a player's stream on a board at once: of a long one they are queued.

import type { Log } from '../stores/contract/log.ts'
import type { ReadCaller, ReadQueue } from './work-queue.ts'

/** Reads that hold more events of one stream than these are queued: many at once would fill the memory. */
const LONG = 1_000

/** Runs what holds all that a player submitted to a board: of a long stream in the queue, with what that throws. */
export async function queuedIfLong<Result>(
  { queue, log }: { readonly queue: ReadQueue; readonly log: Pick<Log, 'readStream'> },
  stream: string,
  work: () => Promise<Result>,
  caller: ReadCaller,
): Promise<Result> {
  const isLong = (await log.readStream(stream, LONG, 1)).length > 0
  return isLong ? queue.run(caller, 'past', work) : work()
}
