// The folder that an export is written into until it is whole, beside the one that was asked for. Its name says which process
// writes it: killed, that leaves it behind, with all that players wrote, and who next makes an export of that name takes it away.

import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

const NAME = /^\.(?<target>.+)\.(?<host>[0-9a-f]{8})-(?<pid>\d+)-[0-9a-f]{12}\.partial$/s

/** Processes of another machine cannot be asked after. Short, as names end at 255 bytes. */
const host = () => createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** Those of this process. In a container it may be of the same id as who was killed there before it. */
const own = new Set<string>()

/** `target` is resolved; another one each time. */
export function unfinishedName(target: string): string {
  const name = `.${basename(target)}.${host()}-${process.pid}-${randomBytes(6).toString('hex')}.partial`
  own.add(name)
  return name
}

/** Removes what exports to the same place left when they were killed on this machine. Gives how many they were. */
export async function removeUnfinished(target: string): Promise<number> {
  const folder = dirname(target)
  const names = await readdir(folder).catch(() => [])
  const left = names.filter((name) => {
    const found = NAME.exec(name)?.groups
    return found?.target === basename(target) && found.host === host() && !isWritten(name, Number(found.pid))
  })
  for (const name of left) await rm(join(folder, name), { recursive: true, force: true })
  return left.length
}

const isWritten = (name: string, pid: number) => (pid === process.pid ? own.has(name) : isRunning(pid))

/** One that belongs to somebody else runs too. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (why) {
    return (why as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
