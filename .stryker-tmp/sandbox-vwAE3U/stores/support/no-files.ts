// The file store if none is configured: everything except the bytes of files works. Calls about bytes are refused
// with 503 `files_off`, which asks the operator to configure a store.

import { Refusal } from '../../domain/decider.ts'
import type { FileStore } from '../contract/files.ts'

const refuse = async (): Promise<never> => {
  throw filesOff()
}

export const NO_FILES: FileStore = {
  uploadLink: refuse,
  downloadLink: refuse,
  stored: refuse,
  remove: async () => {},
  list: async () => [],
  close: async () => {},
}

/** Throws 503 `files_off` if no file store is configured. Call it before reserving anything for the bytes. */
export function checkFilesOn(files: FileStore): void {
  if (files === NO_FILES) throw filesOff()
}

function filesOff(): Refusal {
  const detail =
    'This service has no file store, so no bytes of files can be sent or fetched. Its operator sets FILES_DIR or S3_URL.'
  return new Refusal('unavailable', 'files_off', detail)
}
