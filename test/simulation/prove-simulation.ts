// Simulated histories in numbers.

import { runHistory } from './run-history.ts'

export interface SimulationProof {
  readonly histories: number
  /** Steps of all histories together. */
  readonly steps: number
  /** Seeds of histories in which something was lost, doubled or wrong, with the first line of what. */
  readonly failed: readonly string[]
  readonly firstSeed: number
}

export async function proveSimulation(proof: {
  readonly histories: number
  readonly firstSeed: number
  told?(played: number, failed: number): void
}): Promise<SimulationProof> {
  const { histories, firstSeed } = proof
  const failed: string[] = []
  let steps = 0
  for (let n = 0; n < histories; n++) {
    const { seed, defects, trace } = await runHistory(firstSeed + n)
    steps += trace.length
    if (defects.length > 0) failed.push(`seed ${seed}: ${defects[0]} (SIM_SEED=${seed} npx mocha test/simulation)`)
    proof.told?.(n + 1, failed.length)
  }
  return { histories, steps, failed, firstSeed }
}
