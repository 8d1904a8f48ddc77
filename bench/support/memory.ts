// Memory of this process and of others.

import { readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const SAMPLE_EVERY_MS = 20

/** Bytes on the heap and in buffers, after garbage collection. */
export function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') for (let times = 0; times < 3; times++) collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Resident set of a process in bytes, and its peak since the start or the last reset. */
export function residentBytes(pid: number, highest = false): number {
  return statusBytes(pid, highest ? 'VmHWM' : 'VmRSS')
}

/** Resident bytes of a process without the files that are mapped into it: as some work begins, and the most during it. */
export async function ownBytesDuring<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ readonly before: number; readonly most: number; readonly result: Result }> {
  const before = statusBytes(pid, 'RssAnon')
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, statusBytes(pid, 'RssAnon'))
  }, SAMPLE_EVERY_MS)
  try {
    const result = await work()
    return { before, most, result }
  } finally {
    clearInterval(sampling)
  }
}

function statusBytes(pid: number, field: 'VmHWM' | 'VmRSS' | 'RssAnon'): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  return Number(found?.[1]) * 1_024
}

/** Resets the peak. */
export function beginHighest(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
