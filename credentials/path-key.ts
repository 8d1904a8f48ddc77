// The keyed hash of a path, for the names of streams and documents: it has a fixed length and does not reveal the path.

import { ROOT_KEY, ROOT_PATH } from '../domain/paths.ts'
import { keyedDigest } from './master.ts'

/** `root` for `/`, else 64 hex digits. `digest` is the working key of that name. */
export function pathKey(digest: Uint8Array, bucket: string, path: string): string {
  return path === ROOT_PATH ? ROOT_KEY : keyedDigest(digest, 'path', bucket, path).toString('hex')
}
