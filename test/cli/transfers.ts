// Fixture for transfer tests: a bucket and a local folder, with a server behind a proxy.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bucket } from '../../clients/javascript/file-shapes.ts'
import type { Served } from './served.ts'
import { newFolder } from './service.ts'

/** The output of `--json`. */
export interface Moved {
  readonly moved: readonly { readonly path: string; readonly local: string; readonly sha256: string }[]
  readonly unchanged: readonly { readonly path: string }[]
  readonly bytes: number
}

/** Empties both, and lets the proxy pass everything again. */
export async function freshPlace(served: Served): Promise<{ readonly here: string; readonly bucket: string }> {
  served.cuts = () => false
  served.cut.length = 0
  served.held.length = 0
  const here = await newFolder()
  return { here, bucket: (await served.json<Bucket>('bucket', 'create', 'Saves')).id }
}

/** Writes a local file and returns its path. */
export async function laid(folder: string, name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}
