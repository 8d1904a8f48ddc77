// The proof `npm run proof:rules`: many random histories of boards whose rules change, and previews of them.

import { playPreview, playRules } from './rules-world.ts'

const STEPS = 120

interface RulesProof {
  readonly histories: number
  readonly previews: number
  readonly seed: number
  /** Called after each history and each preview. */
  readonly onProgress?: (line: string) => void
}

/** Rejects with the seed that failed. */
export async function proveRules({ histories, previews, seed, onProgress }: RulesProof): Promise<void> {
  for (let n = 0; n < histories; n++) {
    await withLabel(`history of seed ${seed + n}`, playRules(seed + n, STEPS))
    onProgress?.(`${n + 1} of ${histories} histories`)
  }
  for (let n = 0; n < previews; n++) {
    await withLabel(`preview of seed ${seed + n}`, playPreview(seed + n, STEPS))
    onProgress?.(`${n + 1} of ${previews} previews`)
  }
}

async function withLabel(what: string, work: Promise<void>): Promise<void> {
  await work.catch((error: Error) => {
    error.message = `${what}: ${error.message}`
    throw error
  })
}
