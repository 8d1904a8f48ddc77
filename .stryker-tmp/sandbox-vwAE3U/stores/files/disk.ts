// The file system calls that the local file store uses. Tests replace them with file systems that fail, hang and lose
// power.

import { constants, type Stats } from 'node:fs'
import { link, mkdir, open, readdir, stat, statfs, unlink } from 'node:fs/promises'

export interface FileFacts {
  readonly size: number
  /** How many names it has: none once it is removed while it is open. */
  readonly names: number
  /** Unix milliseconds of the last write. */
  readonly changedMs: number
}

export interface DiskFile {
  /** Appends; answers how many bytes, which are fewer where the disk is full. */
  write(buffers: readonly Uint8Array[]): Promise<number>
  sync(): Promise<void>
  /** Answers how many bytes, 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>
  facts(): Promise<FileFacts>
  close(): Promise<void>
}

/** Rejections are Node's: their `code` says what is wrong. */
export interface Disk {
  /** A new file; EEXIST where there is one. */
  create(path: string): Promise<DiskFile>
  open(path: string): Promise<DiskFile>
  /** A second name for a file; EEXIST where that name is taken. */
  link(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  /** EEXIST where it is there. */
  makeFolder(path: string): Promise<void>
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>
  names(folder: string): Promise<string[]>
  facts(path: string): Promise<FileFacts>
  /** Bytes that this process may still fill. */
  freeBytes(folder: string): Promise<number>
}

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

export const realDisk: Disk = {
  create: (path) => opened(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL),
  open: (path) => opened(path, constants.O_RDONLY),
  link,
  unlink,
  makeFolder: (path) => mkdir(path, { mode: OWNER_ONLY_FOLDER }).then(() => {}),
  async syncFolder(path) {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  },
  names: (folder) => readdir(folder),
  async facts(path) {
    return factsOf(await stat(path))
  },
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
}

async function opened(path: string, flags: number): Promise<DiskFile> {
  const file = await open(path, flags, OWNER_ONLY)
  return {
    write: async (buffers) => (await file.writev(buffers)).bytesWritten,
    sync: () => file.sync(),
    read: async (into, position) => (await file.read(into, 0, into.length, position)).bytesRead,
    facts: async () => factsOf(await file.stat()),
    close: () => file.close(),
  }
}

const factsOf = ({ size, nlink, mtimeMs }: Stats): FileFacts => ({ size, names: nlink, changedMs: mtimeMs })

/** Whether a rejection is Node's with this code. */
export const isCode = (failure: unknown, ...codes: readonly string[]): boolean =>
  failure instanceof Error && 'code' in failure && codes.includes(String(failure.code))
