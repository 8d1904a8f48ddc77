// Installs npm packages for a suite apart from those of this project, under node_modules/.cache, in a folder named
// after a hash of its package.json.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

/** The path of a `node_modules` with the packages that the package.json names in exact versions. */
export async function builtPackages(name: string, packageJson: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(packageJson))
  const cache = join(CACHE, name)
  const folder = join(cache, hash.digest('hex').slice(0, 16))
  const modules = join(folder, 'node_modules')
  if (existsSync(modules)) return modules
  await mkdir(cache, { recursive: true })
  const work = await mkdtemp(join(cache, 'build-'))
  try {
    await cp(packageJson, join(work, 'package.json'))
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: work })
    // Another process may have finished first, with the same result.
    await rename(work, folder).catch((failure: unknown) => {
      if (!existsSync(modules)) throw failure
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return modules
}
