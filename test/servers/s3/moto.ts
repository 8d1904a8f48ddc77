// Moto as a process for the duration of a test run. It keeps objects in memory, and checks neither signatures nor
// checksums; gate.ts does.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { builtMoto } from './build.ts'

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
