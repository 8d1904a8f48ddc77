// Free space of the disks of the data folder and the files folder, for alerts.

import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../config.ts'

/** A folder that cannot be read, or that this process does not use, has no value. */
export function watchDisks(registry: Registry, { dataDir, filesDir }: Pick<Config, 'dataDir' | 'filesDir'>): void {
  const folders = { data: dataDir, files: filesDir }
  new Gauge({
    name: 'scorebook_disk_free_bytes',
    help: 'Free bytes on the disk of the data folder and on that of the files.',
    labelNames: ['disk'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [disk, folder] of Object.entries(folders)) {
        const free = folder === null ? null : await freeBytes(folder)
        if (free !== null) this.set({ disk }, free)
      }
    },
  })
}

const freeBytes = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )
