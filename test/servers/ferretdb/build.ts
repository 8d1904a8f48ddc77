// Builds the test server once, from the FerretDB module that Go downloads and verifies with go.sum, and patches.ts. The
// binary is under node_modules/.cache in a folder named after a hash of its inputs.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PATCHES, patched } from './patches.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/scorebook-ferretdb', import.meta.url))
const MODULE = 'github.com/FerretDB/FerretDB'

/** The first build downloads about 100 MB and compiles for minutes on a slow machine. */
export const BUILD_TIMEOUT_MS = 900_000

let building: Promise<string> | null = null

/** The path of the server's binary. Rejects if Go is missing or the module cannot be downloaded. */
export function builtFerretdb(): Promise<string> {
  building ??= build()
  return building
}

async function build(): Promise<string> {
  const inputs = await Promise.all(['go.mod', 'go.sum', 'main.go'].map((name) => readFile(join(HERE, name), 'utf8')))
  const version = await go(['env', 'GOVERSION', 'GOOS', 'GOARCH'], HERE)
  const hash = createHash('sha256').update(JSON.stringify([inputs, PATCHES, version]))
  const folder = join(CACHE, hash.digest('hex').slice(0, 16))
  const binary = join(folder, process.platform === 'win32' ? 'ferretdb.exe' : 'ferretdb')
  if (existsSync(binary)) return binary
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'build-'))
  try {
    await buildIn(work)
    // Another process may have finished first, with the same result.
    await mkdir(folder, { recursive: true })
    await rename(join(work, 'ferretdb'), binary)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return binary
}

async function buildIn(work: string): Promise<void> {
  const { Dir } = JSON.parse(await go(['mod', 'download', '-json', await required()], HERE)) as { Dir: string }
  await copySource(Dir, join(work, 'ferretdb-source'), '')
  const module = await readFile(join(HERE, 'go.mod'), 'utf8')
  await writeFile(join(work, 'go.mod'), `${module}\nreplace ${MODULE} => ./ferretdb-source\n`)
  await writeFile(join(work, 'go.sum'), await readFile(join(HERE, 'go.sum')))
  await writeFile(join(work, 'main.go'), await readFile(join(HERE, 'main.go')))
  await go(['build', '-mod=mod', '-tags', 'ferretdb_no_postgresql', '-o', join(work, 'ferretdb'), '.'], work)
}

/** The module and version that go.mod names. */
async function required(): Promise<string> {
  const { Require } = JSON.parse(await go(['mod', 'edit', '-json'], HERE)) as {
    Require: { Path: string; Version: string }[]
  }
  const version = Require.find(({ Path }) => Path === MODULE)?.Version
  if (version === undefined) throw new Error(`go.mod in ${HERE} does not name ${MODULE}`)
  return `${MODULE}@${version}`
}

/** The patched sources of the module. Go's own copy is read-only, so the copies get new permissions. */
async function copySource(from: string, to: string, path: string): Promise<void> {
  await mkdir(join(to, path), { recursive: true })
  for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) await copySource(from, to, below)
    else if (/\.go$|\.txt$|^go\.(mod|sum)$/.test(entry.name)) await copyFile(from, to, below)
  }
}

async function copyFile(from: string, to: string, path: string): Promise<void> {
  const source = await readFile(join(from, path), 'utf8')
  await writeFile(join(to, path), patched(path, source))
}

async function go(args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)('go', args, { cwd, maxBuffer: 1 << 26 })).stdout
  } catch (failure) {
    const detail = failure instanceof Error && 'stderr' in failure ? String(failure.stderr) : String(failure)
    throw new Error(`go ${args[0]} failed; the tests on MongoDB need Go 1.24 or newer: ${detail}`, { cause: failure })
  }
}
