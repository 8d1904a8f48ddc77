// A disk that is full during an upload: a small file system in memory that the test fills. The upload is refused,
// nothing of it is recorded or stored, and it can be repeated once there is room. Mounting needs root.

import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCode } from '../../stores/files/disk.ts'
import { FREE_FLOOR_BYTES } from '../../stores/files/local.ts'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { filesBelow, openRawConnection, putHead } from './files-api.ts'
import { type NewUpload, openUploader } from './uploader.ts'

const MIB = 1_048_576
const SIZE = 4 * MIB
const DISK_BYTES = FREE_FLOOR_BYTES + 64 * MIB

export interface FullDiskProof {
  readonly filled: number
  readonly faults: readonly string[]
}

/** The disk fills up after this many bytes of an upload, one case after another. */
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
  const newUpload = await uploader.begin('/a', SIZE)
  const before = filesBelow(filesDir)
  const ballast = join(folder, 'ballast')
  const answer = await sent(world, newUpload, came, () => filled(ballast))
  const faults: string[] = []
  if (!answer.startsWith('HTTP/1.1 503 ') || !answer.includes('store_full'))
    faults.push(`answered ${answer.split('\r\n')[0]}`)
  if (await uploader.isThere(newUpload)) faults.push('a refused upload is a file')
  const status = (await uploader.complete(newUpload))?.status
  if (status !== 409) faults.push(`a refused upload is completed: ${status}`)
  const left = filesBelow(filesDir).filter((path) => !before.includes(path))
  if (left.length > 0) faults.push(`a refused upload left ${left.join(', ')}`)
  await rm(ballast)
  const put = await uploader.put(newUpload)
  if (put?.status !== 200) faults.push(`sent again, it answers ${put?.status} ${put?.text}`)
  else if ((await uploader.complete(newUpload))?.status !== 200)
    faults.push('it is not completed when there is room again')
  else faults.push(...(await uploader.faultsOf(newUpload, false)))
  return faults.map((fault) => `a disk full at byte ${came}: ${fault}`)
}

/** Fills the disk to its last byte, also during other writes. */
async function filled(ballast: string): Promise<void> {
  const file = await open(ballast, 'w')
  try {
    for (let size = MIB; size > 0; ) {
      const { bytesWritten } = await file.write(Buffer.alloc(size)).catch((error: unknown) => {
        if (isCode(error, 'ENOSPC')) return { bytesWritten: 0 }
        throw error
      })
      if (bytesWritten < size) size >>= 1
    }
  } finally {
    await file.close()
  }
}

/** Sends this many bytes, and the rest after `meanwhile`; returns the answer. */
async function sent(world: ProcessWorld, { link, bytes }: NewUpload, came: number, meanwhile: () => Promise<void>) {
  const line = openRawConnection(world.port)
  line.socket.write(putHead(link, 'Connection: close', `Content-Length: ${bytes.length}`))
  if (came > 0) await new Promise((resolve) => line.socket.write(bytes.subarray(0, came), resolve))
  await meanwhile()
  line.socket.write(bytes.subarray(came))
  return line.until('}')
}
