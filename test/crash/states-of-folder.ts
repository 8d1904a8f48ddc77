// Every state that the files of a data folder go through while this process writes to it: what a process that is killed
// there leaves.

import { createHook } from 'node:async_hooks'
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface WatchedStates {
  /** Ends the watching. Returns the folders with the copies, in order. */
  end(): readonly string[]
}

/**
 * Copies the folder each time that a file in it has changed, after each step of the event loop and of each promise. The
 * embedded stores write in these steps, so that no file of theirs changes during a copy. The store of files works in
 * other threads: a copy that meets a file which is gone is made again.
 */
export function watchStates(dataDir: string, copiesIn: string): WatchedStates {
  const copies: string[] = []
  let last = stamp(dataDir)
  const look = () => {
    const now = stamp(dataDir)
    if (now === last) return
    last = now
    const copy = join(copiesIn, String(copies.length).padStart(4, '0'))
    while (!isCopied(dataDir, copy)) rmSync(copy, { recursive: true, force: true })
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

/** False if a file was gone before it was copied. */
function isCopied(from: string, to: string): boolean {
  try {
    cpSync(from, to, { recursive: true, preserveTimestamps: true })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Names, sizes and times of change of all files. */
function stamp(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const found = statSync(path, { bigint: true, throwIfNoEntry: false })
      return `${path} ${found?.size} ${found?.mtimeNs}`
    })
    .sort()
    .join('\n')
}
