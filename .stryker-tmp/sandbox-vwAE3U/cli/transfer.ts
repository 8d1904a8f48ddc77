// What uploads and downloads of the command line share: `<bucket>:<path>`, several files at once with one bar, and an
// end in order where the person interrupts it.

import pMap from 'p-map'
import type { Client } from '../client/connect.ts'
import type { Persistence } from '../client/persist.ts'
import { whereFound } from './authenticated-clients.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { type ProgressBar, progressBar } from './progress.ts'
import { bytesText } from './sizes.ts'
import type { Target } from './target.ts'
import { printable, type Terminal } from './terminal.ts'

/** A path in a bucket. */
export interface Remote {
  readonly bucket: string
  readonly path: string
}

export interface Moved {
  readonly path: string
  readonly local: string
  readonly size: number
  /** Hex; null where it is not known. */
  readonly sha256: string | null
}

interface Transfer<Job> {
  readonly terminal: Terminal
  /** Stands before the bar. */
  readonly label: string
  readonly jobs: readonly Job[]
  bytesOf(job: Job): number
  /** Moves one; calls `moved` with the bytes moved, negative if some must be moved again. */
  run(job: Job, moved: (bytes: number) => void, how: Persistence): Promise<Moved>
}

const AT_ONCE = 4

/** Throws UsageFault. */
export function remoteOf(text: string): Remote {
  const [, bucket, path] = /^([A-Za-z0-9_-]+):(\/.*)$/s.exec(text) ?? []
  if (bucket !== undefined && path !== undefined) return { bucket, path }
  throw new UsageFault(
    `${JSON.stringify(text)} names no path in a bucket: it must look like <bucket>:/saves/slot-1.bin.`,
  )
}

/** With the key that the bucket is found by. */
export async function whoHas(place: Target, bucket: string): Promise<Client> {
  return whereFound(place, async ({ client }) => {
    await client.bucket(bucket)
    return client
  })
}

/** Maps with few calls at once. Rejects with the first failure. */
export function mapFew<Item, Result>(items: readonly Item[], map: (item: Item) => Promise<Result>): Promise<Result[]> {
  return pMap(items, map, { concurrency: AT_ONCE })
}

/** Moves all; the first failure ends the others. What is done by then stays. */
export async function moveAll<Job>(transfer: Transfer<Job>): Promise<Moved[]> {
  const { terminal, label, jobs } = transfer
  const total = jobs.reduce((sum, job) => sum + transfer.bytesOf(job), 0)
  const bar = progressBar(terminal, label, total, { amount: bytesText })
  const stop = new AbortController()
  const interrupted = () =>
    stop.abort(new CommandFault('Stopped. What was moved whole is there; run it again for the rest.'))
  const listenNoMore = terminal.onInterrupt?.(interrupted)
  const done: Moved[] = []
  const move = async (job: Job) => {
    if (stop.signal.aborted) return
    const how = { signal: stop.signal, onWait: noting(bar) }
    try {
      done.push(await transfer.run(job, (bytes) => bar.add(bytes), how))
    } catch (error) {
      // The others end in order before moveAll throws.
      if (!stop.signal.aborted) stop.abort(error)
    }
  }
  await mapFew(jobs, move)
  listenNoMore?.()
  if (stop.signal.aborted) {
    bar.drop()
    throw stop.signal.reason
  }
  if (jobs.length > 0) bar.end()
  return done.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const noting = (bar: ProgressBar) => (_waitMs: number, why: unknown) =>
  bar.note(`trying again: ${printable(why instanceof Error ? why.message : String(why))}`)

/** The files that are in the way, as one fault. */
export function inTheWay(paths: readonly string[]): CommandFault {
  const shown = paths.slice(0, 5).map(printable).join(', ')
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : ''
  return new CommandFault(
    `There already, with other bytes: ${shown}${more}. --force puts the new ones in their place. Nothing was changed.`,
  )
}

/** What --json prints, and what people read. */
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
