// A disk in memory that can lose power: data that was not synced is then gone, complete or partial, as the test
// chooses.

import { basename, dirname } from 'node:path'
import type { Disk, DiskFile } from '../../stores/files/disk.ts'

interface Inode {
  data: Buffer
  /** Data that survives in any case. */
  synced: Buffer
  readonly changedMs: number
}

interface Folder {
  names: Map<string, Inode | 'folder'>
  synced: Map<string, Inode | 'folder'>
}

/** What remains of data that was not synced. */
export interface Luck {
  readonly names: 'lost' | 'kept'
  readonly data: 'lost' | 'kept' | 'torn'
}

export const EVERY_LUCK: readonly Luck[] = (['lost', 'kept'] as const).flatMap((names) =>
  (['lost', 'kept', 'torn'] as const).map((data) => ({ names, data })),
)

export interface MemoryDisk extends Disk {
  /** The disk after the power failure. */
  afterPowerLoss(luck: Luck): MemoryDisk
  /** All files' paths. */
  paths(): string[]
}

export function createMemoryDisk(folders = new Map<string, Folder>()): MemoryDisk {
  const fault = (code: string) => Object.assign(new Error(code), { code, syscall: 'model' })
  const folderAt = (path: string): Folder => {
    const found = folders.get(path)
    if (found === undefined) throw fault('ENOENT')
    return found
  }
  const inodeAt = (path: string): Inode => {
    const found = folderAt(dirname(path)).names.get(basename(path))
    if (found === undefined || found === 'folder') throw fault('ENOENT')
    return found
  }
  const name = (path: string, what: Inode | 'folder') => {
    const { names } = folderAt(dirname(path))
    if (names.has(basename(path))) throw fault('EEXIST')
    names.set(basename(path), what)
  }
  const factsOf = ({ data, changedMs }: Inode) => ({ isFile: true, size: data.length, names: 1, changedMs })
  const fileOf = (inode: Inode): DiskFile => ({
    async write(buffers) {
      const more = Buffer.concat(buffers)
      inode.data = Buffer.concat([inode.data, more])
      return more.length
    },
    async sync() {
      inode.synced = inode.data
    },
    read: async (into, position) => inode.data.copy(into, 0, position),
    facts: async () => factsOf(inode),
    close: async () => {},
  })
  if (folders.size === 0) folders.set('/', { names: new Map(), synced: new Map() })

  return {
    async create(path) {
      const inode = { data: Buffer.alloc(0), synced: Buffer.alloc(0), changedMs: Date.now() }
      name(path, inode)
      return fileOf(inode)
    },
    open: async (path) => fileOf(inodeAt(path)),
    link: async (from, to) => name(to, inodeAt(from)),
    async rename(from, to) {
      const inode = inodeAt(from)
      folderAt(dirname(from)).names.delete(basename(from))
      folderAt(dirname(to)).names.set(basename(to), inode)
    },
    async unlink(path) {
      inodeAt(path)
      folderAt(dirname(path)).names.delete(basename(path))
    },
    async makeFolder(path) {
      name(path, 'folder')
      folders.set(path, { names: new Map(), synced: new Map() })
    },
    async syncFolder(path) {
      const folder = folderAt(path)
      folder.synced = new Map(folder.names)
    },
    names: async (path) => [...folderAt(path).names.keys()],
    facts: async (path) => factsOf(inodeAt(path)),
    freeBytes: async () => Number.MAX_SAFE_INTEGER,
    paths: () =>
      [...folders].flatMap(([folder, { names }]) =>
        [...names].filter(([, what]) => what !== 'folder').map(([one]) => `${folder}/${one}`),
      ),
    afterPowerLoss({ names: luckOfNames, data }) {
      const inodes = new Map<Inode, Inode>()
      const found = (inode: Inode): Inode => {
        const known = inodes.get(inode)
        if (known !== undefined) return known
        const torn = Math.floor((inode.synced.length + inode.data.length) / 2)
        const kept = { lost: inode.synced, kept: inode.data, torn: inode.data.subarray(0, torn) }[data]
        const made = { data: kept, synced: kept, changedMs: inode.changedMs }
        inodes.set(inode, made)
        return made
      }
      const after = new Map<string, Folder>()
      const walk = (path: string) => {
        const folder = folderAt(path)
        const names = new Map<string, Inode | 'folder'>()
        for (const [one, what] of luckOfNames === 'kept' ? folder.names : folder.synced) {
          names.set(one, what === 'folder' ? what : found(what))
          if (what === 'folder') walk(path === '/' ? `/${one}` : `${path}/${one}`)
        }
        after.set(path, { names, synced: new Map(names) })
      }
      walk('/')
      return createMemoryDisk(after)
    },
  }
}
