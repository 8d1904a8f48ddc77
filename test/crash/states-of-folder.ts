// Every state that the files of a data folder go through while this process writes to it: what a process that is killed there leaves.

import { createHook } from 'node:async_hooks'
import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface WatchedStates {
  /** Ends the watching. Returns the folders with the copies, in order. */
  end(): readonly string[]
}

/**
 * Copies the folder each time that a file in it has changed, after each step of the event loop and of each promise. The embedded stores write in
 * these steps, so that no file changes during a copy.
 */
export function watchStates(dataDir: string, copiesIn: string): WatchedStates {
  const copies: string[] = []
  let last = stamp(dataDir)
  const look = () => {
    const now = stamp(dataDir)
    if (now === last) return
    last = now
    const copy = join(copiesIn, String(copies.length).padStart(4, '0'))
    cpSync(dataDir, copy, { recursive: true, preserveTimestamps: true })
    copies.push(copy)
  }
  const hook = createHook({ after: look }).enable()
  return {
    end: () => {
      hook.disable()
      look()
      return copies
    },
  }
}

/** Names, sizes and times of change of all files. */
function stamp(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { size, mtimeNs } = statSync(path, { bigint: true })
      return `${path} ${size} ${mtimeNs}`
    })
    .sort()
    .join('\n')
}
