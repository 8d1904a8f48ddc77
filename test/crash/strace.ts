// strace on a running process or one of its threads, to make a system call fail or kill the process before it. Needs
// strace and the permission to trace other processes (root has it).

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
