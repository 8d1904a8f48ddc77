// `scorebook serve`: the server, until it is told to stop.

import { pino } from 'pino'
import { ConfigFault, readConfig } from '../config.ts'
import { type Running, start } from '../main.ts'
import { LogAnchorMismatch } from '../projections/start.ts'

const FAULT_EXIT_CODE = 1
const USAGE_EXIT_CODE = 2

/** Serves until SIGTERM or SIGINT. A second signal within a second is the same one, passed on by npm. */
export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const config = readConfig(env)
    const log = pino({ level: config.logLevel, base: null })
    const running = await start(config, log)
    if (!config.production) process.stderr.write(greeting(running, config.host, config.publicUrl))
    stopOnSignal(running)
  } catch (failure) {
    if (failure instanceof ConfigFault) {
      for (const fault of failure.faults) process.stderr.write(`scorebook: ${fault}\n`)
      process.exitCode = USAGE_EXIT_CODE
      return
    }
    const told = failure instanceof LogAnchorMismatch || failure instanceof Error ? failure.message : String(failure)
    process.stderr.write(`scorebook: cannot start: ${told}\n`)
    process.exitCode = FAULT_EXIT_CODE
  }
}

function stopOnSignal(running: Running): void {
  let firstMs: number | null = null
  const onSignal = () => {
    const nowMs = Date.now()
    if (firstMs === null) {
      firstMs = nowMs
      void running.stop().then(() => process.exit(0))
    } else if (nowMs - firstMs > 1_000) process.exit(FAULT_EXIT_CODE)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

function greeting({ port, operatorFile }: Running, host: string, publicUrl: string): string {
  const lines = ['', `Scorebook is ready at ${publicUrl.replace(/:\d+$/, `:${port}`) || `http://${host}:${port}`}`]
  if (operatorFile !== null) lines.push(`The operator key was written to ${operatorFile}`)
  lines.push(
    '',
    'Next, in another terminal:',
    '  npx scorebook demo                 a game with players, boards and scores to look at',
    '  npx scorebook game create "My game"',
    `  curl http://${host}:${port}/api/openapi.json`,
    '',
    '',
  )
  return lines.join('\n')
}
