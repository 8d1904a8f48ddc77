// `scorebook serve` in a process of its own, until it is ready or refuses to start.

import { spawn } from 'node:child_process'
import { builtProgram } from '../crash/build.ts'
import { type Env, newFolder } from './service.ts'

export interface ServedOnce {
  readonly ready: boolean
  /** Its exit code: where it was ready, after SIGTERM. */
  readonly code: number | null
  /** Everything it wrote, to standard output and standard error. */
  readonly output: string
  /** Milliseconds until it ended by itself; 0 where it was ready. */
  readonly refusedAfterMs: number
}

const READY = '"msg":"ready"'

/** On a data folder of its own unless `env` names one; nothing of this process's environment comes with it. */
export async function serveOnce(env: Env): Promise<ServedOnce> {
  const own = { DATA_DIR: await newFolder(), PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'trace' }
  const began = performance.now()
  const child = spawn(process.execPath, [builtProgram(), 'serve'], { env: { ...own, ...env } })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  let output = ''
  let ready = false
  const heard = (piece: Buffer) => {
    output += piece
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

/** Lets the process believe that it is so much later. */
export const clockAhead = (ms: number): Env => ({
  NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+${ms}`,
})
