// What stands for a path in the names of streams and documents: a keyed hash, so that any path fits and none is shown.

import { keyedDigest } from './master.ts'

export const ROOT_KEY = 'root'

/** `root` for `/`, else 64 hex digits. `digest` is the working key of that name. */
export function pathKey(digest: Uint8Array, bucket: string, path: string): string {
  return path === '/' ? ROOT_KEY : keyedDigest(digest, 'path', bucket, path).toString('hex')
}
