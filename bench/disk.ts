// What a board takes on disk, and what a submission writes. The limit of the log is the JSON of its events.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openLog } from '../stores/embedded/log.ts'
import { BATCH } from '../stores/embedded/log-index.ts'
import { type BoardLoad, withBoardLoad } from './support/board-load.ts'
import { sizeOf, writtenBytes } from './support/bytes.ts'
import type { Size } from './support/measure.ts'
import { type Loader, startLoader } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'

const SMALL = 1_000
const IN_FLIGHT = 64
/** Whole batches of the log's index: so many are written, whatever was in memory before. */
const SUBMISSIONS = 3 * BATCH
const SAMPLE = 2_000
/** Longer than views may wait for their flush. */
const FLUSHED_MS = 3_000
const MAX_VIEWS = 400
const MAX_LOG = 1.15
const KB = 1_000

export async function benchDisk({ entries, quick }: Size): Promise<BenchRow[]> {
  const submissions = quick ? BATCH : SUBMISSIONS
  const small = await written(SMALL, submissions)
  const large = await written(entries, submissions)
  const at = entries.toLocaleString('en')
  return [
    perItem(`views on disk, board of ${at}, bytes an entry`, large.viewsBytes, MAX_VIEWS),
    perItem(
      `log on disk, bytes an event / its JSON (${large.jsonBytes.toFixed(0)})`,
      large.logBytes,
      MAX_LOG * large.jsonBytes,
    ),
    perItem(`bytes written per submission, board of ${SMALL.toLocaleString('en')}`, small.written, 2 * KB),
    perItem(`bytes written per submission, board of ${at}`, large.written, 10 * KB),
  ]
}

function perItem(what: string, bytes: number, goal: number): BenchRow {
  const limit = goal.toFixed(0)
  return { what, limit, ours: bytes.toFixed(0), ratio: (bytes / goal).toFixed(2), goal: '≤ 1', met: bytes <= goal }
}

async function written(entries: number, submissions: number) {
  const loader = startLoader()
  // The access log is not on the disk of the data.
  const env = { LOG_LEVEL: 'warn' }
  try {
    return await withBoardLoad({ entries, env }, async (board) => {
      const bytes = await writtenPerSubmission(board, loader, submissions)
      await board.stop()
      const { events, jsonBytes } = await measuredLog(board.dataDir)
      return {
        written: bytes,
        viewsBytes: sizeOf(board.dataDir, 'views.sqlite') / entries,
        logBytes: sizeOf(board.dataDir, 'log') / events,
        jsonBytes,
      }
    })
  } finally {
    await loader.stop()
  }
}

async function writtenPerSubmission(board: BoardLoad, loader: Loader, submissions: number): Promise<number> {
  const { port, pid } = board.server
  await loader.load({ port, connections: IN_FLIGHT, requests: board.submissions(submissions / 4) })
  await pause(FLUSHED_MS)
  const before = writtenBytes(pid)
  const { sample } = await loader.load({ port, connections: IN_FLIGHT, requests: board.submissions(submissions) })
  await pause(FLUSHED_MS)
  // Without the answers, which all have about the size of the last one.
  return (writtenBytes(pid) - before) / submissions - sample.length
}

/** The number of events, and the mean size of the last ones as JSON. */
async function measuredLog(dataDir: string): Promise<{ readonly events: number; readonly jsonBytes: number }> {
  const log = await openLog(join(dataDir, 'log.sqlite'))
  try {
    const events = Number.parseInt((await log.head()) ?? '0', 16)
    const last = await log.readAll((events - SAMPLE).toString(16).padStart(16, '0'), SAMPLE)
    const bytes = last.map(({ id, type, data, meta }) => Buffer.byteLength(JSON.stringify({ id, type, data, meta })))
    return { events, jsonBytes: bytes.reduce((sum, one) => sum + one, 0) / last.length }
  } finally {
    await log.close()
  }
}
