// Soak test: plays many random histories of a board with seasons against the model.

import { playSeasons } from './play-rules.ts'

const STEPS = 120

/** Returns one line for each history that differs, with its seed. */
export async function proveSeasonHistories(proof: {
  readonly histories: number
  readonly firstSeed: number
  onProgress?(line: string): void
}): Promise<string[]> {
  const { histories, firstSeed, onProgress } = proof
  const failed: string[] = []
  for (let n = 0; n < histories; n++) {
    await playSeasons(firstSeed + n, STEPS).catch((error: Error) => {
      failed.push(`history of seed ${firstSeed + n}: ${error.message}`)
    })
    onProgress?.(`${n + 1} of ${histories} histories, ${failed.length} differ ${failed.at(-1) ?? ''}`.trimEnd())
  }
  return failed
}
