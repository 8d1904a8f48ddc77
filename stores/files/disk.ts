// The file system calls that the local file store uses. Tests replace them with file systems that fail, hang and lose
// power.

import { constants, type Stats } from 'node:fs'
import { link, mkdir, open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises'
import { StoreUnavailable } from '../contract/faults.ts'
import { FilesFull } from '../contract/files.ts'

interface FileFacts {
  /** False for a folder or another object that is not a regular file. */
  readonly isFile: boolean
  readonly size: number
  /** Number of hard links; 0 if the file was removed while open. */
  readonly names: number
  /** Unix milliseconds of the last write. */
  readonly changedMs: number
}

export interface DiskFile {
  /** Appends; returns the number of bytes written, which is smaller on a full disk. */
  write(buffers: readonly Uint8Array[]): Promise<number>
  sync(): Promise<void>
  /** Returns the number of bytes read, 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>
  facts(): Promise<FileFacts>
  close(): Promise<void>
}

/** Rejects with Node's errors, which have a `code`. */
export interface Disk {
  /** Creates a file; EEXIST if it exists. */
  create(path: string): Promise<DiskFile>
  open(path: string): Promise<DiskFile>
  /** Creates a hard link; EEXIST if the name exists. */
  link(from: string, to: string): Promise<void>
  /** Replaces a file of the new name. */
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  /** EEXIST if it exists. */
  makeFolder(path: string): Promise<void>
  /** Syncs the names in a folder. */
  syncFolder(path: string): Promise<void>
  names(folder: string): Promise<string[]>
  facts(path: string): Promise<FileFacts>
  /** Free bytes for this process. */
  freeBytes(folder: string): Promise<number>
}

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

export const realDisk: Disk = {
  create: (path) => opened(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL),
  open: (path) => opened(path, constants.O_RDONLY),
  link,
  rename,
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

const factsOf = (stats: Stats): FileFacts => ({
  isFile: stats.isFile(),
  size: stats.size,
  names: stats.nlink,
  changedMs: stats.mtimeMs,
})

/** Whether an error is one of Node's with this code. */
export const isCode = (failure: unknown, ...codes: readonly string[]): boolean =>
  failure instanceof Error && 'code' in failure && codes.includes(String(failure.code))

/** Returns errors that are not Node's unchanged. */
function diskFault(failure: unknown): unknown {
  if (isCode(failure, 'ENOSPC', 'EDQUOT', 'EFBIG')) return new FilesFull()
  const isNodes = failure instanceof Error && 'code' in failure && 'syscall' in failure
  return isNodes ? new StoreUnavailable(`The files’ disk failed: ${failure.message}`, failure) : failure
}

/** The same promise, with an error of the disk as FilesFull or StoreUnavailable. */
export function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((failure: unknown) => {
    throw diskFault(failure)
  })
}
