// strace on a running process or on one of its threads, to have a system call fail or the process die before it. Needs
// strace, and leave to trace others (root has it).

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Strace {
  /** Lets go of the process, where it lives still; what was traced. */
  detach(): Promise<string>
}

interface Traced {
  /** Of a process with all its threads, or of one thread alone. */
  readonly id: number
  readonly withThreads?: boolean
  /** Options after `-e`. */
  readonly expressions: readonly string[]
}

/** Settles once it is attached. */
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
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (piece: Buffer) => {
      said += piece
      if (said.includes('attached')) resolve()
    })
    child.once('error', (why) => reject(new Error('There is no strace here: apt-get install strace', { cause: why })))
    child.once('close', () => reject(new Error(`strace cannot attach: ${said.trim()}`)))
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

/** The thread that a process with UV_THREADPOOL_SIZE=1 does its work with files in; `touch` makes it open a blob. */
export async function threadOfFiles(pid: number, touch: () => Promise<unknown>): Promise<number> {
  const strace = await attachStrace({ id: pid, withThreads: true, expressions: ['trace=open,openat'] })
  await touch()
  const traced = await strace.detach()
  const found = /^(\d+) +open(?:at)?\(.*\/files\/./m.exec(traced)
  if (found === null) throw new Error(`no thread opened a blob:\n${traced}`)
  return Number(found[1])
}
