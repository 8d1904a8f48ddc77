// Puts Moto, which answers as S3 does, into a virtual environment of Python under node_modules/.cache, in a folder named
// after all that went into it.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/scorebook-moto', import.meta.url))

/** The first time, some 20 packages are fetched. */
export const BUILD_TIMEOUT_MS = 600_000

let building: Promise<string> | null = null

/** The path of a Python that has Moto. Rejects where Python or its venv is missing, or packages cannot be fetched. */
export function builtMoto(): Promise<string> {
  building ??= build()
  return building
}

async function build(): Promise<string> {
  const version = await python('python3', ['--version'])
  const hash = createHash('sha256').update(JSON.stringify([await readFile(REQUIREMENTS, 'utf8'), version]))
  const folder = join(CACHE, hash.digest('hex').slice(0, 16))
  const binary = join(folder, 'bin', 'python')
  if (existsSync(binary)) return binary
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'build-'))
  try {
    const fresh = join(work, 'venv')
    await python('python3', ['-m', 'venv', fresh])
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS]
    await python(join(fresh, 'bin', 'python'), pip)
    // Another process may have been first: theirs is the same.
    await rename(fresh, folder).catch((failure: unknown) => {
      if (!existsSync(binary)) throw failure
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return binary
}

async function python(binary: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(binary, args, { maxBuffer: 1 << 26 })).stdout
  } catch (failure) {
    const why = failure instanceof Error && 'stderr' in failure ? `${failure.message}\n${failure.stderr}` : failure
    throw new Error(`the tests on S3 need Python 3.10 or newer with venv (apt-get install python3-venv): ${why}`, {
      cause: failure,
    })
  }
}
