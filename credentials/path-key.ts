// The keyed hash of a path, for the names of streams and documents: it has a fixed length and does not reveal the path.

import { keyedDigest } from './master.ts'

export const ROOT_KEY = 'root'

/** `root` for `/`, else 64 hex digits. `digest` is the working key of that name. */
export function pathKey(digest: Uint8Array, bucket: string, path: string): string {
  return path === '/' ? ROOT_KEY : keyedDigest(digest, 'path', bucket, path).toString('hex')
}
