// Runs `scorebook serve` as a child process until it is ready or fails to start.

import { spawn } from 'node:child_process'
import { builtProgram } from '../crash/build.ts'
import { type Env, newFolder } from './service.ts'

export interface ServedOnce {
  readonly ready: boolean
  /** The exit code; after SIGTERM if it became ready. */
  readonly code: number | null
  /** Everything written to stdout and stderr. */
  readonly output: string
  /** Milliseconds until it exited by itself; 0 if it became ready. */
  readonly refusedAfterMs: number
}

const READY = '"msg":"ready"'

/** Uses a new data folder unless `env` names one. Does not inherit this process's environment. */
export async function serveOnce(env: Env, ...args: string[]): Promise<ServedOnce> {
  const own = { DATA_DIR: await newFolder(), PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'trace' }
  const began = performance.now()
  const child = spawn(process.execPath, [builtProgram(), 'serve', ...args], { env: { ...own, ...env } })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  let output = ''
  let ready = false
  const heard = (chunk: Buffer) => {
    output += chunk
    if (ready || !output.includes(READY)) return
    ready = true
    child.kill('SIGTERM')
  }
  child.stdout.on('data', heard)
  child.stderr.on('data', heard)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  process.off('exit', killWithUs)
  return { ready, code, output, refusedAfterMs: ready ? 0 : performance.now() - began }
}

/** Milliseconds by which the process's clock is ahead. */
export const clockAhead = (ms: number): Env => ({
  NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+${ms}`,
})
