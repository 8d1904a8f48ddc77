// A server in a process of its own, to be killed: started on a data folder, known by its port, all of its output kept.
// One that serves no API is known to be ready by its log.

import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { builtProgram } from './build.ts'

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export type Signal = 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'SIGSTOP' | 'SIGCONT'

export interface ServerProcess {
  /** 0 where it serves no API. */
  readonly port: number
  readonly pid: number
  /** Everything it wrote, to standard output and standard error. */
  output(): string
  signal(name: Signal): void
  /** Its standard output, where that is a pipe to this process. */
  readonly stdout: Readable | null
  readonly exited: Promise<Exit>
}

const READY = /is ready at http:\/\/127\.0\.0\.1:(\d+)/
const READY_WITHOUT_API = /"roles":\["projector"\].*"msg":"ready"/

/** None of them outlives us. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** `stdout`: a file descriptor in place of a pipe. Answers when it is ready; rejects with its output where it exits before that. `program` is a built command line. */
async function startServer(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  program = builtProgram(),
  stdout: 'pipe' | number = 'pipe',
): Promise<ServerProcess> {
  const level = env.ROLES === 'projector' ? 'info' : 'warn'
  const settings = { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: level, ...env }
  const child = spawn(process.execPath, [program, 'serve'], { env: settings, stdio: ['ignore', stdout, 'pipe'] })
  running.add(child)
  const pieces: Buffer[] = []
  const output = () => Buffer.concat(pieces).toString()
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal })
    })
  })
  const port = await readyPort(child, pieces, output)
  return { port, pid: child.pid ?? 0, output, signal: (name) => void child.kill(name), stdout: child.stdout, exited }
}

const STARTS = 5

/**
 * As whatever runs nodes would: one that could not reach a store, which on a busy machine is late, is started again.
 */
export async function startSupervised(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  program = builtProgram(),
  stdout: 'pipe' | number = 'pipe',
): Promise<ServerProcess> {
  for (let starts = 1; ; starts++) {
    try {
      return await startServer(dataDir, env, program, stdout)
    } catch (failure) {
      if (starts === STARTS || !String(failure).includes('cannot be reached')) throw failure
    }
  }
}

function readyPort(child: ChildProcess, pieces: Buffer[], output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const heard = (piece: Buffer) => {
      pieces.push(piece)
      const found = READY.exec(output())
      if (found !== null) resolve(Number(found[1]))
      else if (READY_WITHOUT_API.test(output())) resolve(0)
    }
    child.stdout?.on('data', heard)
    child.stderr?.on('data', heard)
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`the server exited with ${code} before it was ready:\n${output()}`)))
  })
}
