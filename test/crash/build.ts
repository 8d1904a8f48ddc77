// The program as it is shipped, built once for all test processes: starting it from source would take far longer, many
// times over. A build is kept in the system's temporary folder under a name that follows from the sources.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourcesIn } from '../../tools/sources.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PREFIX = 'scorebook-built-'
const POLL_MS = 100
/** A build that takes longer than this has died. */
const BUILD_MAX_MS = 120_000
/** Builds of older sources are deleted. */
const KEPT_MS = 86_400_000

let built: string | null = null

/** The path of the built command line. Waits for another process that builds the same sources. */
export function builtProgram(): string {
  built ??= join(builtFolder(), 'cli/main.js')
  return built
}

/** The sources of a file of the built program, as paths from the root of this checkout. */
export function sourcesOf(bundled: string): string[] {
  const { sources }: { sources: string[] } = JSON.parse(readFileSync(`${bundled}.map`, 'utf8'))
  return sources.map((source) => relative(ROOT, resolve(dirname(bundled), source)))
}

function builtFolder(): string {
  const folder = join(tmpdir(), PREFIX + hashOfSources())
  onceOver(folder, () => {
    deleteOldBuilds()
    build(folder)
  })
  return folder
}

/** Builds the console into dist/ of this checkout, from which a service that runs from the sources serves it. */
export function buildConsole(): void {
  const folder = join(ROOT, 'dist/console')
  const stamp = join(ROOT, `node_modules/.cache/scorebook-console-${hashOfSources()}`)
  if (!existsSync(folder)) rmSync(stamp, { force: true })
  onceOver(stamp, () => {
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
    const options = ['--config', 'console/vite.config.mjs', '--logLevel', 'warn']
    execFileSync(process.execPath, [vite, 'build', 'console', ...options], { cwd: ROOT, stdio: 'inherit' })
    writeFileSync(stamp, '')
  })
}

/** Runs `make`, which creates `path`, in one process only, and waits for it in all others. */
function onceOver(path: string, make: () => void): void {
  const lock = `${path}.lock`
  mkdirSync(join(path, '..'), { recursive: true })
  while (!existsSync(path)) {
    if (!takesLock(lock)) {
      sleep(POLL_MS)
      continue
    }
    try {
      if (!existsSync(path)) make()
    } finally {
      rmSync(lock, { recursive: true, force: true })
    }
  }
}

/** Takes the lock; one that is too old to be held counts as free. */
function takesLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const { mtimeMs = Date.now() } = statSync(lock, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > BUILD_MAX_MS) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

function build(folder: string): void {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const bundle = join(ROOT, 'tools/bundle.mjs')
  execFileSync(process.execPath, [bundle, unfinished], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  writeFileSync(join(unfinished, 'package.json'), '{"type":"module"}\n')
  symlinkSync(join(ROOT, 'node_modules'), join(unfinished, 'node_modules'))
  renameSync(unfinished, folder)
}

function deleteOldBuilds(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(tmpdir(), name)
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true })
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256').update(ROOT)
  for (const path of sourcesIn(ROOT)) hash.update(path).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
