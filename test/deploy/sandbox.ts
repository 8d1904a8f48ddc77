// Starts the program as the image and the systemd unit do, without a container engine: in a mount namespace where
// everything but the data folder is read-only, as an unprivileged user without capabilities, with the image's
// environment and command. Needs root on Linux, and `unshare`, `mount` and `setpriv` (Debian: util-linux, mount).

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { builtProgram } from '../crash/build.ts'
import { freePort } from '../free-port.ts'
import { pause } from '../until.ts'
import { ROOT } from './compose-file.ts'
import { execOf, lastStage } from './dockerfile.ts'

/** The user of the image. */
export const USER = 1000
const HEALTHY_WITHIN_MS = 60_000
const RECHECK_MS = 100

/** $1: the folder. $2: node_modules. $3: Node. The rest is the command. */
const SCRIPT = `set -eu
folder=$1 modules=$2 node=$3
shift 3
mount --bind "$folder" "$folder"
mount --bind "$modules" "$folder/app/node_modules"
mount -o remount,bind,ro "$folder/app/node_modules"
mount --bind "$node" "$folder/node"
mount --bind "$folder/data" "$folder/data"
mount -o remount,bind,ro "$folder"
mount -o remount,bind,ro /
cd "$folder/app"
umask 0077
exec setpriv --reuid ${USER} --regid ${USER} --clear-groups --no-new-privs --bounding-set -all --inh-caps -all --ambient-caps -all "$@"`

export interface Sandboxed {
  readonly pid: number
  readonly port: number
  readonly folder: string
  readonly dataDir: string
  output(): string
  /** Runs the health check of the image until it passes. Rejects with the output if the program exits before. */
  healthy(): Promise<void>
  /** Sends SIGTERM; returns the exit code and the time it took. */
  terminate(): Promise<{ readonly code: number | null; readonly tookMs: number }>
  /** Ends it if it runs, and removes the folder. */
  close(): Promise<void>
}

/** The environment of the image, on loopback. */
async function environment(dataDir: string): Promise<Record<string, string>> {
  const written = lastStage()
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ words }) => words.map((word) => word.split('=') as [string, string]))
  return {
    ...Object.fromEntries(written),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    ADMIN_PORT: String(await freePort()),
    PUBLIC_URL: 'https://scores.example.com',
    MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
    PATH: '/usr/bin:/bin',
  }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scorebook-sandbox-'))
  chmodSync(folder, 0o755)
  const app = join(folder, 'app')
  mkdirSync(join(app, 'node_modules'), { recursive: true })
  const built = dirname(dirname(builtProgram()))
  cpSync(built, join(app, 'dist'), { recursive: true, filter: (path) => basename(path) !== 'node_modules' })
  cpSync(join(ROOT, 'package.json'), join(app, 'package.json'))
  writeFileSync(join(folder, 'node'), '')
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  chownSync(join(folder, 'data'), USER, USER)
  return folder
}

/** The words of an instruction of the image, with the Node of this run. */
function words(instruction: string, folder: string): string[] {
  const found = lastStage().find(({ name }) => name === instruction)
  if (found === undefined) throw new Error(`the Dockerfile has no ${instruction}`)
  return execOf(found).map((word, at) => (at === 0 && word === 'node' ? join(folder, 'node') : word))
}

export async function startSandboxed(): Promise<Sandboxed> {
  if (process.getuid?.() !== 0) throw new Error('This test needs root: it changes the user and mounts folders.')
  const folder = makeFolder()
  const dataDir = join(folder, 'data')
  const env = await environment(dataDir)
  const modules = realpathSync(join(ROOT, 'node_modules'))
  const command = [...words('ENTRYPOINT', folder), ...words('CMD', folder)]
  const given = [folder, modules, realpathSync(process.execPath), ...command]
  const shell = ['--mount', '--propagation', 'private', 'sh', '-c', SCRIPT, 'sandbox', ...given]
  // `unshare`, the shell and `setpriv` each become the next program: the process is the server in the end.
  const child = spawn('unshare', shell, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString()
    })
  }
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  exited.catch(() => {})
  const check = words('HEALTHCHECK', folder).with(0, process.execPath)
  return {
    pid: child.pid ?? 0,
    port: Number(env.PORT),
    folder,
    dataDir,
    output: () => output,
    healthy: () => untilHealthy(child, check, env, () => output),
    terminate: async () => {
      const began = performance.now()
      child.kill('SIGTERM')
      return { code: await exited, tookMs: performance.now() - began }
    },
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited.catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilHealthy(
  child: ChildProcess,
  [node = '', ...rest]: readonly string[],
  env: Record<string, string>,
  output: () => string,
): Promise<void> {
  const end = performance.now() + HEALTHY_WITHIN_MS
  while (child.exitCode === null && performance.now() < end) {
    const isHealthy = await promisify(execFile)(node, rest, { env }).then(
      () => true,
      () => false,
    )
    if (isHealthy) return
    await pause(RECHECK_MS)
  }
  throw new Error(`it did not become healthy:\n${output()}`)
}
