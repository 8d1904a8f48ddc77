// Builds the server, the client library and the console, and links them, so that `npx scorebook` finds them. `npm run build` runs
// it. With --if-needed, which `npm start` passes, it builds only if there is no build, or if a source file is newer than the build. Of several at
// once in one folder, one works at a time.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sourcesIn } from './sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
const built = `${root}/dist/.built`
const compiler = `${root}/node_modules/typescript/bin/tsc`
const PROGRAMS = [
  [`${root}/tools/bundle.mjs`, 'dist'],
  [compiler, '-p', 'clients/javascript'],
  [`${root}/node_modules/vite/bin/vite.js`, 'build', 'console', '--config', 'console/vite.config.mjs', '--logLevel', 'warn'],
]

/** Holds the id of the process that builds. */
const lock = `${root}/node_modules/.scorebook-build`
const LOOK_EVERY_MS = 100

/** Waits until no other process builds here. A process that died in the meantime holds nothing. */
function enter() {
  const own = `${lock}.${process.pid}`
  writeFileSync(own, String(process.pid))
  process.on('exit', () => rmSync(own, { force: true }))
  for (;;) {
    try {
      // A file and its content appear together.
      linkSync(own, lock)
      process.on('exit', () => rmSync(lock, { force: true }))
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (!isHeld()) discard()
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS)
    }
  }
}

function isHeld(path = lock) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Renamed first, so that of two processes that find it one removes it. */
function discard() {
  const stale = `${lock}.stale.${process.pid}`
  try {
    renameSync(lock, stale)
    // Another process may have discarded it first, and this is the lock of the next one.
    if (isHeld(stale)) linkSync(stale, lock)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(error.code)) throw error
  }
  rmSync(stale, { force: true })
}

const newestMs = () => Math.max(...sourcesIn(root).map((path) => statSync(path).mtimeMs))

function build() {
  process.stderr.write('Building ...\n')
  for (const folder of ['dist', 'clients/javascript/dist']) rmSync(`${root}/${folder}`, { recursive: true, force: true })
  try {
    for (const program of PROGRAMS) execFileSync(process.execPath, program, { cwd: root, stdio: 'inherit' })
  } catch {
    process.stderr.write('The build failed: see the errors above.\n')
    process.exit(1)
  }
  writeFileSync(built, '')
}

/** npm links installed packages and their programs only, not a project's own. */
function link() {
  const scope = `${root}/node_modules/@scorebook`
  mkdirSync(scope, { recursive: true })
  rmSync(`${scope}/client`, { force: true })
  symlinkSync(process.platform === 'win32' ? `${root}/clients/javascript` : '../../clients/javascript', `${scope}/client`, 'junction')
  const bin = `${root}/node_modules/.bin`
  chmodSync(`${root}/dist/cli/main.js`, 0o755)
  mkdirSync(bin, { recursive: true })
  if (process.platform === 'win32') {
    writeFileSync(`${bin}/scorebook.cmd`, '@node "%~dp0\\..\\..\\dist\\cli\\main.js" %*\r\n')
    return
  }
  rmSync(`${bin}/scorebook`, { force: true })
  symlinkSync('../../dist/cli/main.js', `${bin}/scorebook`)
}

if (!existsSync(compiler)) {
  process.stderr.write('The packages are not installed yet. Run `npm ci` first.\n')
  process.exit(1)
}
enter()
const builtMs = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (!process.argv.includes('--if-needed') || newestMs() > builtMs) build()
link()
