// A new temporary folder for each store under test; all are removed when the process ends.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = mkdtempSync(join(tmpdir(), 'scorebook-stores-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

/** A path in a new folder of its own. */
export function newPath(name: string): string {
  return join(mkdtempSync(join(root, 'store-')), name)
}
