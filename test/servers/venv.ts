// Installs the Python packages of a suite into a virtual environment under node_modules/.cache, in a folder named after
// a hash of its inputs.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

/**
 * The path of a Python with the packages that the file lists. Rejects if Python or its venv module is missing, or if
 * packages cannot be downloaded.
 */
export async function builtVenv(name: string, requirements: string): Promise<string> {
  const version = await python(name, 'python3', ['--version'])
  const hash = createHash('sha256').update(JSON.stringify([await readFile(requirements, 'utf8'), version]))
  const cache = join(CACHE, name)
  const folder = join(cache, hash.digest('hex').slice(0, 16))
  const binary = join(folder, 'bin', 'python')
  if (existsSync(binary)) return binary
  await mkdir(cache, { recursive: true })
  const work = await mkdtemp(join(cache, 'build-'))
  try {
    const fresh = join(work, 'venv')
    await python(name, 'python3', ['-m', 'venv', fresh])
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]
    await python(name, join(fresh, 'bin', 'python'), pip)
    // Another process may have finished first, with the same result.
    await rename(fresh, folder).catch((failure: unknown) => {
      if (!existsSync(binary)) throw failure
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return binary
}

async function python(name: string, binary: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(binary, args, { maxBuffer: 1 << 26 })).stdout
  } catch (failure) {
    const detail = failure instanceof Error && 'stderr' in failure ? `${failure.message}\n${failure.stderr}` : failure
    throw new Error(`${name} needs Python 3.10 or newer with venv (apt-get install python3-venv): ${detail}`, {
      cause: failure,
    })
  }
}
