// Where no file store is configured: everything but the bytes of files goes on, and whoever wants bytes is told that
// they are away.

import { StoreAway } from './faults.ts'
import type { FileStore } from './files.ts'

const refuse = async (): Promise<never> => {
  throw new StoreAway('There is no file store')
}

export const NO_FILES: FileStore = {
  uploadLink: refuse,
  downloadLink: refuse,
  stored: refuse,
  remove: async () => {},
  list: async () => [],
  close: async () => {},
}
