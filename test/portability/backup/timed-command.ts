// Runs the built command line as a process and measures it.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** Returns the seconds it took and the events in its --json. Rejects if it fails; `ending` kills it. */
export async function timedCommand(env: NodeJS.ProcessEnv, ending: AbortSignal, ...args: string[]) {
  const began = performance.now()
  const options = { env, signal: ending, killSignal: 'SIGKILL' as const }
  const child = spawn(process.execPath, [PROGRAM, ...args, '--json'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (bytes: Buffer) => {
    texts.out += bytes.toString()
  })
  child.stderr.on('data', (bytes: Buffer) => {
    texts.err += bytes.toString()
  })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${args[0]} exited with ${code}: ${texts.err}`)
  const json: { readonly events: number } = JSON.parse(texts.out)
  return { seconds: (performance.now() - began) / 1_000, events: json.events }
}
