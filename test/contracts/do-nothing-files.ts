// A file store that keeps nothing.

import { Buffer } from 'node:buffer'
import type { FilesUnderTest } from './files.ts'

export async function doNothingFiles(): Promise<FilesUnderTest> {
  return {
    files: {
      uploadLink: async () => ({ method: 'PUT', url: 'nothing:', headers: {} }),
      downloadLink: async () => 'nothing:',
      stored: async () => null,
      remove: async () => {},
      list: async () => [],
      owner: { read: async () => null, create: async () => {}, replace: async () => {} },
      sweepTemporary: async () => {},
      close: async () => {},
    },
    nowMs: 0,
    put: async () => 200,
    fetch: async () => ({ status: 200, bytes: Buffer.alloc(0) }),
  }
}
