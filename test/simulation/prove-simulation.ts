// Soak test: plays many simulated histories.

import { type Course, IN_MEMORY, runHistory } from './run-history.ts'

export interface SimulationProof {
  readonly histories: number
  /** Total steps of all histories. */
  readonly steps: number
  /** One line for each failed seed, with its first defect. */
  readonly failed: readonly string[]
  readonly firstSeed: number
}

export async function proveSimulation(proof: {
  readonly histories: number
  readonly firstSeed: number
  readonly course?: Course
  /** Reports progress; `last` is the latest failure. */
  onProgress?(played: number, failed: number, last: string): void
}): Promise<SimulationProof> {
  const { histories, firstSeed, course = IN_MEMORY } = proof
  const failed: string[] = []
  let steps = 0
  let [next, played] = [firstSeed, 0]
  const playing = Array.from({ length: course.atOnce }, async () => {
    while (next < firstSeed + histories) {
      const { seed, defects, trace } = await runHistory(next++, course)
      steps += trace.length
      played += 1
      if (defects.length > 0) failed.push(`seed ${seed}: ${defects[0]} (SIM_SEED=${seed} ${course.again})`)
      proof.onProgress?.(played, failed.length, failed.at(-1) ?? '')
    }
  })
  await Promise.all(playing)
  return { histories, steps, failed, firstSeed }
}
