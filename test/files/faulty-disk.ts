// Wraps a disk. It stops permanently before one operation, like a process that is killed there, or fails in it.

import type { Disk, DiskFile } from '../../stores/files/disk.ts'
import { gate } from '../until.ts'

/** Called before each operation with its name. It rejects or never settles to prevent the operation. */
export type Before = (operation: string) => Promise<void>

/** `opened` collects every opened file. */
export function faulty(disk: Disk, before: Before, opened: DiskFile[] = []): Disk {
  const around =
    <Args extends readonly unknown[], Result>(operation: string, act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await before(operation)
      return act(...args)
    }
  const file = (one: DiskFile): DiskFile => {
    opened.push(one)
    return {
      write: around('write', one.write),
      sync: around('sync', one.sync),
      read: around('read', one.read),
      facts: around('facts', one.facts),
      close: () => one.close().then(() => before('close')),
    }
  }
  return {
    create: around('create', async (path: string) => file(await disk.create(path))),
    open: around('open', async (path: string) => file(await disk.open(path))),
    link: around('link', disk.link),
    rename: around('rename', disk.rename),
    unlink: around('unlink', disk.unlink),
    makeFolder: around('makeFolder', disk.makeFolder),
    syncFolder: around('syncFolder', disk.syncFolder),
    names: around('names', disk.names),
    facts: around('facts', disk.facts),
    freeBytes: around('freeBytes', disk.freeBytes),
  }
}

interface Stopping {
  readonly before: Before
  /** Resolves when the disk has stopped. */
  readonly stopped: Promise<void>
}

/** Stops before operation `at`, counted from 0. */
export function stoppingBefore(at: number): Stopping {
  let done = 0
  const { opened: stopped, open: stop } = gate()
  return {
    stopped,
    before: () => {
      if (done++ < at) return Promise.resolve()
      stop()
      return new Promise(() => {})
    },
  }
}

interface Failing {
  readonly before: Before
  /** False if there were fewer operations. */
  hasFailed(): boolean
}

/** Fails in the `nth` operation of a name, counted from 0. */
export function failingIn(name: string, nth: number, code: string): Failing {
  let done = 0
  let hasFailed = false
  return {
    hasFailed: () => hasFailed,
    before: async (operation) => {
      if (operation !== name || done++ !== nth) return
      hasFailed = true
      throw Object.assign(new Error(`${code}: ${operation}`), { code, syscall: operation })
    },
  }
}
