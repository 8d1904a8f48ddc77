// A clock of server processes that a test sets, before they start and while they run: each process reads from a file
// how far its clock is ahead of the machine's.

import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const READ_EVERY_MS = 5

export interface ProcessClock {
  /** For the processes that have this clock. */
  readonly env: Readonly<Record<string, string>>
  /** Unix milliseconds. */
  readonly nowMs: number
  /** Running processes have it a few milliseconds later. */
  set(nowMs: number): Promise<void>
  close(): Promise<void>
}

export async function createProcessClock(nowMs: number): Promise<ProcessClock> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-clock-'))
  const file = join(folder, 'ahead')
  let aheadMs = 0
  const set = async (toMs: number) => {
    aheadMs = toMs - Date.now()
    // A reader never sees half of it.
    await writeFile(`${file}.next`, String(aheadMs))
    await rename(`${file}.next`, file)
  }
  await set(nowMs)
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(programFor(file))}` },
    get nowMs() {
      return Date.now() + aheadMs
    },
    set,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const programFor = (file: string): string => `
  import { readFileSync } from 'node:fs'
  const { now } = Date
  const read = () => Number(readFileSync(new URL(${JSON.stringify(pathToFileURL(file).href)}), 'utf8'))
  let ahead = read()
  setInterval(() => { ahead = read() }, ${READ_EVERY_MS}).unref()
  Date.now = () => now() + ahead
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, as),
  })`
