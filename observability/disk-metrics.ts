// How much the disks of the data folder and of files have left, for an alert on the days until one is full.

import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../config.ts'

/** A disk that cannot be asked (a folder that this process does not use) has no value. */
export function watchDisks(registry: Registry, { dataDir, filesDir }: Pick<Config, 'dataDir' | 'filesDir'>): void {
  const folders = { data: dataDir, files: filesDir }
  new Gauge({
    name: 'scorebook_disk_free_bytes',
    help: 'Bytes that this process may still fill on the disk of its data folder, and of its files.',
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
