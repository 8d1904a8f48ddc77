// Code shared by uploads and downloads: parsing `<bucket>:<path>`, concurrent transfers with one progress bar, and
// clean interruption.

import pMap from 'p-map'
import type { Client } from '../clients/javascript/connect.ts'
import type { Persistence } from '../clients/javascript/persist.ts'
import { messageOf } from '../runtime/repeated-failures.ts'
import { tryEachGame } from './authenticated-clients.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { type ProgressBar, progressBar } from './progress.ts'
import { bytesText } from './sizes.ts'
import type { Target } from './target.ts'
import { interruptible, printable, type Terminal } from './terminal.ts'

export interface Remote {
  readonly bucket: string
  readonly path: string
}

export interface Moved {
  readonly path: string
  readonly local: string
  readonly size: number
  /** Hex; null if unknown. */
  readonly sha256: string | null
}

interface Transfer<Job> {
  readonly terminal: Terminal
  readonly label: string
  readonly jobs: readonly Job[]
  bytesOf(job: Job): number
  /** Transfers one file; calls `moved` with the number of bytes, negative if bytes must be repeated. */
  run(job: Job, moved: (bytes: number) => void, how: Persistence): Promise<Moved>
}

const CONCURRENCY = 4

/** Throws UsageFault. */
export function remoteOf(text: string): Remote {
  const [, bucket, path] = /^([A-Za-z0-9_-]+):(\/.*)$/s.exec(text) ?? []
  if (bucket !== undefined && path !== undefined) return { bucket, path }
  throw new UsageFault(
    `${JSON.stringify(text)} names no path in a bucket: it must look like <bucket>:/saves/slot-1.bin.`,
  )
}

/** A client with the key of the game that owns the bucket. */
export async function whoHas(target: Target, bucket: string): Promise<Client> {
  return tryEachGame(target, async ({ client }) => {
    await client.bucket(bucket)
    return client
  })
}

export function mapFew<Item, Result>(items: readonly Item[], map: (item: Item) => Promise<Result>): Promise<Result[]> {
  return pMap(items, map, { concurrency: CONCURRENCY })
}

/** Transfers all files. The first failure stops the others; finished files stay. */
export async function moveAll<Job>(transfer: Transfer<Job>): Promise<Moved[]> {
  const { terminal, label, jobs } = transfer
  const total = jobs.reduce((sum, job) => sum + transfer.bytesOf(job), 0)
  const bar = progressBar(terminal, label, total, { amount: bytesText })
  const done: Moved[] = []
  const moveFew = async (stop: AbortController) => {
    await mapFew(jobs, async (job) => {
      if (stop.signal.aborted) return
      const how = { signal: stop.signal, onWait: noting(bar) }
      try {
        done.push(await transfer.run(job, (bytes) => bar.add(bytes), how))
      } catch (error) {
        // Wait until the others have stopped before throwing.
        if (!stop.signal.aborted) stop.abort(error)
      }
    })
    return stop.signal
  }
  const stopped = new CommandFault('Stopped. Completed files are kept. Run the command again to transfer the rest.')
  const { aborted, reason } = await interruptible(terminal, moveFew, stopped)
  if (aborted) {
    bar.drop()
    throw reason
  }
  if (jobs.length > 0) bar.end()
  return done.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const noting = (bar: ProgressBar) => (_waitMs: number, error: unknown) =>
  bar.note(`trying again: ${printable(messageOf(error))}`)

export function inTheWay(paths: readonly string[]): CommandFault {
  const shown = paths.slice(0, 5).map(printable).join(', ')
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : ''
  return new CommandFault(`Exists already with other bytes: ${shown}${more}. --force overwrites. Nothing was changed.`)
}

export function movedAnswer(verb: string, moved: readonly Moved[], unchanged: readonly Moved[], arrow: Arrow) {
  const bytes = moved.reduce((sum, { size }) => sum + size, 0)
  const were = unchanged.length === 1 ? '1 was' : `${unchanged.length} were`
  const same = unchanged.length === 0 ? '' : `, ${were} there already`
  const one = moved.length === 1 && unchanged.length === 0 ? moved[0] : undefined
  const files = moved.length === 1 ? '1 file' : `${moved.length} files`
  const line =
    moved.length === 0 && unchanged.length > 0
      ? `Nothing to do: ${were} there already, with the same bytes.`
      : one === undefined
        ? `${verb} ${files}, ${bytesText(bytes)}${same}.`
        : `${verb} ${arrow(one)}`
  const shown = one?.sha256 == null ? [] : [`sha256 ${one.sha256}, ${bytesText(one.size)}`]
  return { json: { moved, unchanged, bytes }, lines: [line, ...shown] }
}

type Arrow = (moved: Moved) => string
