// What tests of the command line's transfers begin with: a bucket and a folder of their own, on a server behind a wire.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bucket } from '../../client/file-shapes.ts'
import type { Served } from './served.ts'
import { newFolder } from './service.ts'

/** What `--json` prints. */
export interface Moved {
  readonly moved: readonly { readonly path: string; readonly local: string; readonly sha256: string }[]
  readonly unchanged: readonly { readonly path: string }[]
  readonly bytes: number
}

/** Both empty; and the wire carries everything again. */
export async function freshPlace(served: Served): Promise<{ readonly here: string; readonly bucket: string }> {
  served.cuts = () => false
  served.cut.length = 0
  served.held.length = 0
  const here = await newFolder()
  return { here, bucket: (await served.json<Bucket>('bucket', 'create', 'Saves')).id }
}

/** A file in a folder here; gives its path. */
export async function laid(folder: string, name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}
