// A process that is killed at a place of its own, always the same: in the place of its n-th sync of a file to the disk.

import type { Env } from './service.ts'

/** For the environment of a process; from 1 on. */
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
