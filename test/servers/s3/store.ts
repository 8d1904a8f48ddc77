// Buckets for tests: one Moto per run, with a gate for each bucket.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { atEnd } from '../../at-end.ts'
import { BUILD_TIMEOUT_MS, builtMoto } from './build.ts'
import { type Gate, KNOWN, startGate } from './gate.ts'

export const KEY = { accessKeyId: 'AKSCOREBOOK', secretAccessKey: 's3-hunter-5/+' } as const

export interface Bucket {
  /** S3_URL. */
  readonly url: string
  readonly gate: Gate
  readonly name: string
  /** The URL without the gate: a store that verifies nothing. */
  readonly bareUrl: string
  /** Names of all objects that are files, without the common prefix. */
  names(): Promise<string[]>
  /** Of one of them. */
  bytes(name: string): Promise<Buffer>
  close(): Promise<void>
}

/** Time for the first download of its packages, and its start. */
export const STARTED_WITHIN_MS = BUILD_TIMEOUT_MS

let running: Promise<Moto> | null = null
atEnd(endMoto)

/** Starts the S3 server, so that no test waits for it. */
export async function startS3(): Promise<void> {
  running ??= startMoto()
  await running
}

/** A new bucket behind a gate of its own. */
export async function freshBucket(name = `files-${randomBytes(8).toString('hex')}`): Promise<Bucket> {
  running ??= startMoto()
  const { port } = await running
  const gate = await startGate(port, KEY)
  const made = await fetch(`http://127.0.0.1:${port}/${name}`, { method: 'PUT' })
  if (made.status !== 200) throw new Error(`Moto makes no bucket: ${made.status} ${await made.text()}`)
  const urlAt = (at: number) =>
    `http://${KEY.accessKeyId}:${encodeURIComponent(KEY.secretAccessKey)}@127.0.0.1:${at}/${name}`
  const names = async () => {
    const listed = await (await fetch(`http://127.0.0.1:${port}/${name}?list-type=2&prefix=blob/`)).text()
    if (!listed.includes('<IsTruncated>false')) throw new Error('more objects than tests look at')
    return [...listed.matchAll(/<Key>blob\/([^<]*)</g)].map(([, one = '']) => one)
  }
  const bytes = async (one: string) => {
    const read = await fetch(`http://127.0.0.1:${port}/${name}/blob/${one}`, { headers: { authorization: KNOWN } })
    if (read.status !== 200) throw new Error(`Moto answers ${read.status} for ${one}`)
    return Buffer.from(await read.arrayBuffer())
  }
  return { url: urlAt(gate.port), gate, name, bareUrl: urlAt(port), names, bytes, close: () => gate.close() }
}

/** Ends the S3 server; the next caller starts another. */
async function endMoto(): Promise<void> {
  const ending = running
  running = null
  await (await ending)?.stop()
}

export interface Moto {
  readonly port: number
  stop(): Promise<void>
}

export async function startMoto(): Promise<Moto> {
  const script = fileURLToPath(new URL('serve.py', import.meta.url))
  const child: ChildProcess = spawn(await builtMoto(), [script], { stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  child.stderr?.on('data', (bytes: Buffer) => {
    output = `${output}${bytes}`.slice(-4_000)
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const started = once(lines, 'line').then(([line]) => Number(line))
  const ended = once(child, 'exit').then(() => null)
  const port = await Promise.race([started, ended])
  if (port === null) throw new Error(`Moto did not start: ${output}`)
  return {
    port,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await ended
    },
  }
}
