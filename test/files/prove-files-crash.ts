// Kills a server before each system call of an upload, on the files' thread and on the main thread that writes the log;
// lets syncs fail; and fills the disk. The file must be complete or absent, acknowledged uploads must exist, and
// nothing may remain in the end.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { aftermathOf } from './aftermath.ts'
import { type NewUpload, openUploader, type Uploader } from './uploader.ts'

/** Several chunks, so more than one write. */
const SIZE = 700_000

const NOT_MORE = 2_000

/** System calls that change files or make them durable. */
const WRITES = 'write,writev,pwrite64,pwritev,pwritev2,ftruncate'

const SYNCS = 'fsync,fdatasync,sync_file_range'
const NAMES = 'openat,link,linkat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat'
type Thread = 'files' | 'log'

/** The files' thread also syncs the log, which the main thread writes. */
const CALLS: Readonly<Record<Thread, string>> = {
  files: `${WRITES},${SYNCS},${NAMES}`,
  log: 'pwrite64,pwritev,pwritev2,ftruncate,fsync,fdatasync,unlink,rename',
}

const THREADS: Readonly<Record<Thread, string>> = { files: 'the files’ thread', log: 'the log’s thread' }

export interface FilesCrashProof {
  /** System calls before which the server was killed, by thread. */
  readonly kills: Readonly<Record<Thread, number>>
  readonly failedSyncs: number
  readonly files: number
  readonly swept: number
  readonly faults: readonly string[]
}

export interface FilesCrashOptions {
  /** 1 for each call, 2 for every second, and so on. */
  readonly every: number
  onProgress?(line: string): void
}

/** Needs strace and the permission to trace. Uses the embedded stores. */
export async function proveFilesCrash({ every, onProgress = () => {} }: FilesCrashOptions): Promise<FilesCrashProof> {
  const world = await openProcessWorld({ UV_THREADPOOL_SIZE: '1' })
  const faults: string[] = []
  try {
    const uploader = await openUploader(world)
    const kills = { files: 0, log: 0 }
    for (const thread of ['files', 'log'] as const) {
      for (let nth = 1; nth < NOT_MORE; nth += every) {
        const { isKilled, faults: found } = await killedAt(world, uploader, thread, nth)
        faults.push(...found.map((fault) => `killed before call ${nth} of ${THREADS[thread]}: ${fault}`))
        if (!isKilled) break
        kills[thread]++
        onProgress(`killed before call ${nth} of ${THREADS[thread]}, ${faults.length} wrong`)
      }
    }
    let failedSyncs = 0
    for (const call of ['fsync', 'fdatasync'] as const) {
      for (let nth = 1; nth < NOT_MORE; nth++) {
        const { hasFailed, faults: found } = await failingAt(world, uploader, call, nth)
        faults.push(...found.map((fault) => `${call} ${nth} failed: ${fault}`))
        if (!hasFailed) break
        failedSyncs++
        onProgress(`${call} ${nth} failed, ${faults.length} wrong`)
      }
    }
    await world.end('SIGTERM')
    const { faults: left, files, swept } = await aftermathOf(world, uploader.bucket)
    return { kills, failedSyncs, files, swept, faults: [...faults, ...left] }
  } finally {
    await world.close()
  }
}

/** After every third kill the upload is abandoned and expires. The others are continued. */
async function killedAt(world: ProcessWorld, uploader: Uploader, thread: Thread, nth: number) {
  const { newUpload, id } = await begin(world, uploader, `/${thread} ${nth}`, thread)
  const strace = await attachStrace({
    id,
    expressions: [`trace=${CALLS[thread]}`, `inject=${CALLS[thread]}:signal=SIGKILL:when=${nth}`],
  })
  const put = await uploader.put(newUpload)
  const completed = put?.status === 200 ? await uploader.complete(newUpload) : null
  const isKilled = completed === null
  if (isKilled) await world.ended()
  await strace.detach()
  if (!isKilled) {
    const refused = completed.status === 200 ? [] : [`complete answers ${completed.status}`]
    return { isKilled, faults: [...refused, ...(await uploader.faultsOf(newUpload, false))] }
  }
  await world.begin()
  const faults = await uploader.faultsOf(newUpload, true)
  if (nth % 3 > 0) faults.push(...(await continueUpload(uploader, newUpload, put?.status === 200)))
  return { isKilled, faults }
}

/** Sends unacknowledged bytes again: the link is invalid only if they were recorded. */
async function continueUpload(uploader: Uploader, newUpload: NewUpload, isStored: boolean): Promise<string[]> {
  if (!isStored) {
    const again = await uploader.put(newUpload)
    if (again?.status !== 200 && again?.status !== 404) return [`sent again, it answers ${again?.status}`]
  }
  const completed = await uploader.complete(newUpload)
  if (completed?.status !== 200) return [`complete answers ${completed?.status} after the restart`]
  return uploader.faultsOf(newUpload, false)
}

/**
 * A sync of the files' thread fails with EIO: the upload is refused and can be repeated; a failed log ends the process.
 */
async function failingAt(world: ProcessWorld, uploader: Uploader, call: 'fsync' | 'fdatasync', nth: number) {
  const { newUpload, id } = await begin(world, uploader, `/${call} ${nth}`, 'files')
  const strace = await attachStrace({ id, expressions: [`trace=${call}`, `inject=${call}:error=EIO:when=${nth}`] })
  const put = await uploader.put(newUpload)
  const completed = put?.status === 200 ? await uploader.complete(newUpload) : null
  const hasEnded = put === null || (put.status === 200 && completed === null)
  if (hasEnded) await world.ended()
  const hasFailed = (await strace.detach()).includes('(INJECTED)')
  if (!hasFailed) return { hasFailed, faults: await uploader.faultsOf(newUpload, false) }
  const faults: string[] = []
  if (hasEnded) {
    await world.begin()
    faults.push(...(await uploader.faultsOf(newUpload, true)))
  } else if (put.status !== 503 || put.body.code !== 'store_away') {
    faults.push(`the upload answers ${put.status} ${put.body?.code}`)
  }
  // The refused bytes were not recorded, so the link still accepts them.
  if (!hasEnded && (await uploader.isThere(newUpload))) faults.push('a refused upload is a file')
  if (!hasEnded && (await uploader.put(newUpload))?.status !== 200)
    faults.push('a refused upload takes its bytes no more')
  return { hasFailed, faults: [...faults, ...(await continueUpload(uploader, newUpload, !hasEnded))] }
}

/** Runs an upload, and traces the given thread. */
async function begin(world: ProcessWorld, uploader: Uploader, path: string, thread: Thread) {
  if (thread === 'log') return { newUpload: await uploader.begin(path, SIZE), id: world.pid }
  const uploads: NewUpload[] = []
  const touch = async () => {
    uploads.push(await uploader.begin(path, SIZE))
    // Refused because there are no bytes; but it looks for them.
    await uploader.complete(uploads[0] as NewUpload)
  }
  const id = await threadOfFiles(world.pid, touch)
  return { newUpload: uploads[0] as NewUpload, id }
}

interface Strace {
  /** Detaches from the process if it still runs; returns the trace. */
  detach(): Promise<string>
}

interface Traced {
  /** A process with all its threads, or one thread. */
  readonly id: number
  readonly withThreads?: boolean
  /** Options after `-e`. */
  readonly expressions: readonly string[]
}

/** Resolves once it is attached. */
export async function attachStrace({ id, withThreads = false, expressions }: Traced): Promise<Strace> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-strace-'))
  const file = join(folder, 'trace')
  const args = [
    ...(withThreads ? ['-f'] : []),
    '-o',
    file,
    '-p',
    String(id),
    ...expressions.flatMap((one) => ['-e', one]),
  ]
  const child = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'close')
  let errorOutput = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      errorOutput += chunk
      if (errorOutput.includes('attached')) resolve()
    })
    child.once('error', (error) =>
      reject(new Error('strace is not installed: apt-get install strace', { cause: error })),
    )
    child.once('close', () => reject(new Error(`strace cannot attach: ${errorOutput.trim()}`)))
  })
  return {
    async detach() {
      child.kill('SIGINT')
      await exited
      const traced = await readFile(file, 'utf8')
      await rm(folder, { recursive: true })
      return traced
    },
  }
}

/** The thread in which a process with UV_THREADPOOL_SIZE=1 does its file I/O; `touch` makes it open a blob. */
export async function threadOfFiles(pid: number, touch: () => Promise<unknown>): Promise<number> {
  const strace = await attachStrace({ id: pid, withThreads: true, expressions: ['trace=open,openat'] })
  await touch()
  const traced = await strace.detach()
  const found = /^(\d+) +open(?:at)?\(.*\/files\/./m.exec(traced)
  if (found === null) throw new Error(`no thread opened a blob:\n${traced}`)
  return Number(found[1])
}
