// Startup of the command line: `scorebook --help` against a bare Node process, alternating, by the clock, because the
// processor time of ended processes is not available.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inTurn, type Size } from './support/measure.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'

const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const RATIO = 3

export async function benchCliStart(size: Size): Promise<BenchRow[]> {
  const costs = await inTurn(size.rounds, {
    bare: async () => seconds('-e', '0'),
    help: async () => seconds(PROGRAM, '--help'),
  })
  return [cheapEnough({ what: 'scorebook --help / bare Node', limit: costs.bare, ours: costs.help }, RATIO)]
}

function seconds(...args: string[]): number {
  const began = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} exited with ${status}`)
  return (performance.now() - began) / 1_000
}
