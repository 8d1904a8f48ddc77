// A real nginx with the shipped configuration, except ports, node addresses and folder.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { pause } from '../until.ts'
import { read } from './compose-file.ts'

export interface Nginx {
  readonly port: number
  /** The content of its error log. */
  output(): string
  stop(): Promise<void>
}

const STARTED_WITHIN_MS = 30_000
const RECHECK_MS = 20

/** Upstreams other than the API nodes. */
interface Beside {
  readonly storePort?: number
  readonly roomsPort?: number
}

/** Starts nginx in front of the nodes at these local ports. Rejects with instructions if `nginx` is not installed. */
export async function startNginx(
  nodes: readonly [number, number],
  { storePort = 9, roomsPort = 9 }: Beside = {},
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configured(folder, port, nodes, storePort, roomsPort))
  check(file, folder)
  const child = spawn('nginx', ['-c', file, '-p', folder, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const killWithUs = () => child.kill('SIGTERM')
  process.once('exit', killWithUs)
  const exited = once(child, 'exit')
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  await listening(port, child, () => output)
  return {
    port,
    output: () => output,
    // The log must be readable after the stop, too.
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      process.off('exit', killWithUs)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Every replaced text must occur exactly this often; otherwise the test would run another configuration.
 */
function configured(
  folder: string,
  port: number,
  nodes: readonly [number, number],
  storePort: number,
  roomsPort: number,
): string {
  const replaced = (text: string, from: string, to: string, times: number): string => {
    const parts = text.split(from)
    if (parts.length !== times + 1) throw new Error(`deploy/nginx.conf has "${from}" ${parts.length - 1} times`)
    return parts.join(to)
  }
  let text = read('deploy/nginx.conf')
  text = replaced(text, ' /tmp/', ` ${folder}/`, 6)
  text = replaced(text, 'listen 8080', `listen 127.0.0.1:${port}`, 1)
  text = replaced(text, '172.31.118.14:9000', `127.0.0.1:${storePort}`, 1)
  text = replaced(text, '172.31.118.13:8080', `127.0.0.1:${roomsPort}`, 1)
  text = replaced(text, '172.31.118.11:8080', `127.0.0.1:${nodes[0]}`, 1)
  return replaced(text, '172.31.118.12:8080', `127.0.0.1:${nodes[1]}`, 1)
}

/** `nginx -t`. */
function check(file: string, folder: string): void {
  try {
    execFileSync('nginx', ['-t', '-q', '-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (failure) {
    const { code, stderr } = failure as { code?: string; stderr?: Buffer }
    if (code !== 'ENOENT') throw new Error(`nginx does not take its configuration: ${String(stderr)}`)
    throw new Error('There is no nginx on this machine. Install it: apt-get install nginx')
  }
}

async function listening(port: number, child: ChildProcess, output: () => string): Promise<void> {
  const end = performance.now() + STARTED_WITHIN_MS
  while (performance.now() < end && child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await pause(RECHECK_MS)
  }
  throw new Error(`nginx did not start: ${output()}`)
}
