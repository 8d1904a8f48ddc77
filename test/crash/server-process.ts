// A server in its own process, which can be killed: started on a data folder, with its port and all of its output. One
// without an API is known to be ready by its log.

import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { builtProgram } from './build.ts'

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export type Signal = 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'SIGSTOP' | 'SIGCONT'

export interface ServerProcess {
  /** 0 without an API. */
  readonly port: number
  readonly pid: number
  /** Its standard output and standard error so far. */
  output(): string
  signal(name: Signal): void
  /** Its standard output, if that is a pipe to this process. */
  readonly stdout: Readable | null
  readonly exited: Promise<Exit>
}

const READY = /is ready at http:\/\/127\.0\.0\.1:(\d+)/
const READY_WITHOUT_API = /"roles":\["projector"\].*"msg":"ready"/

/** No child outlives this process. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * `stdout`: a file descriptor in place of a pipe. Resolves when it is ready; rejects with its output if it exits
 * before. `program` is a built command line.
 */
export async function startServer(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  program = builtProgram(),
  stdout: 'pipe' | number = 'pipe',
): Promise<ServerProcess> {
  const level = env.ROLES === 'projector' ? 'info' : 'warn'
  const settings = { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: level, ...env }
  const child = spawn(process.execPath, [program, 'serve'], { env: settings, stdio: ['ignore', stdout, 'pipe'] })
  running.add(child)
  const chunks: Buffer[] = []
  const output = () => Buffer.concat(chunks).toString()
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal })
    })
  })
  const port = await readyPort(child, chunks, output)
  return { port, pid: child.pid ?? 0, output, signal: (name) => void child.kill(name), stdout: child.stdout, exited }
}

const STARTS = 5

/**
 * Restarts a node that could not reach a store, as a supervisor would: on a busy machine a store may be late.
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

function readyPort(child: ChildProcess, chunks: Buffer[], output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      const found = READY.exec(output())
      if (found !== null) resolve(Number(found[1]))
      else if (READY_WITHOUT_API.test(output())) resolve(0)
    }
    child.stdout?.on('data', onData)
    child.stderr?.on('data', onData)
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`the server exited with ${code} before it was ready:\n${output()}`)))
  })
}
