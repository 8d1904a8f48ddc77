// A disk that is full in the middle of an upload: a small file system in memory that another fills meanwhile. The
// upload is refused, nothing of it is recorded or kept, and it goes on when there is room again. Mounting takes root.

import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCode } from '../../stores/files/disk.ts'
import { FREE_FLOOR_BYTES } from '../../stores/files/room.ts'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { filesBelow, putHead, wire } from './door-world.ts'
import { type Begun, openUploader } from './uploader.ts'

const MIB = 1_048_576
const SIZE = 4 * MIB
const DISK_BYTES = FREE_FLOOR_BYTES + 64 * MIB

export interface FullDiskProof {
  readonly filled: number
  readonly faults: readonly string[]
}

/** The disk fills up when so many bytes of an upload have come, each in turn. */
export async function proveFullDisk(cameWhenFull: readonly number[]): Promise<FullDiskProof> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-tmpfs-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', folder])
  try {
    const filesDir = join(folder, 'files')
    const world = await openProcessWorld({ FILES_DIR: filesDir })
    try {
      const faults: string[] = []
      for (const came of cameWhenFull) faults.push(...(await filledAt(world, folder, filesDir, came)))
      return { filled: cameWhenFull.length, faults }
    } finally {
      await world.close()
    }
  } finally {
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true })
  }
}

async function filledAt(world: ProcessWorld, folder: string, filesDir: string, came: number): Promise<string[]> {
  const uploader = await openUploader(world)
  const begun = await uploader.begin('/a', SIZE)
  const before = filesBelow(filesDir)
  const ballast = join(folder, 'ballast')
  const told = await sent(world, begun, came, () => filled(ballast))
  const faults: string[] = []
  if (!told.startsWith('HTTP/1.1 503 ') || !told.includes('store_full'))
    faults.push(`answered ${told.split('\r\n')[0]}`)
  if (await uploader.isThere(begun)) faults.push('a refused upload is a file')
  const status = (await uploader.complete(begun))?.status
  if (status !== 409) faults.push(`a refused upload is completed: ${status}`)
  const left = filesBelow(filesDir).filter((path) => !before.includes(path))
  if (left.length > 0) faults.push(`a refused upload left ${left.join(', ')}`)
  await rm(ballast)
  const put = await uploader.put(begun)
  if (put?.status !== 200) faults.push(`sent again, it answers ${put?.status} ${put?.text}`)
  else if ((await uploader.complete(begun))?.status !== 200) faults.push('it is not completed when there is room again')
  else faults.push(...(await uploader.faultsOf(begun, false)))
  return faults.map((fault) => `a disk full at byte ${came}: ${fault}`)
}

/** To the last byte, whatever else is being written. */
async function filled(ballast: string): Promise<void> {
  const file = await open(ballast, 'w')
  try {
    for (let size = MIB; size > 0; ) {
      const { bytesWritten } = await file.write(Buffer.alloc(size)).catch((why: unknown) => {
        if (isCode(why, 'ENOSPC')) return { bytesWritten: 0 }
        throw why
      })
      if (bytesWritten < size) size >>= 1
    }
  } finally {
    await file.close()
  }
}

/** Sends so many bytes, the rest when `meanwhile` is done; answers what is answered. */
async function sent(world: ProcessWorld, { link, bytes }: Begun, came: number, meanwhile: () => Promise<void>) {
  const line = wire(world.port)
  line.socket.write(putHead(link, 'Connection: close', `Content-Length: ${bytes.length}`))
  if (came > 0) await new Promise((resolve) => line.socket.write(bytes.subarray(0, came), resolve))
  await meanwhile()
  line.socket.write(bytes.subarray(came))
  return line.until('}')
}
