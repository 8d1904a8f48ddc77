// Environment for a process that is killed at a reproducible point: in place of its n-th file sync.

import type { Env } from './service.ts'

/** NODE_OPTIONS for the process; `n` counts from 1. */
export function killedAtSync(n: number): Env {
  const program = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { fdatasync } = fs
let left = ${n}
fs.fdatasync = (...call) => {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
  else fdatasync(...call)
}
syncBuiltinESMExports()`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` }
}
