// The proof `npm run proof:rules`: many random histories of boards whose rules change, and previews of them.

import { playBrokenWrites, playPreview, playRules } from './play-rules.ts'

const STEPS = 120

interface RulesProof {
  readonly histories: number
  readonly previews: number
  /** Histories whose log is applied with writes that fail part way. */
  readonly broken: number
  readonly seed: number
  /** Called after each history and each preview. */
  readonly onProgress?: (line: string) => void
}

/** Rejects with the seed that failed. */
export async function proveRules({ histories, previews, broken, seed, onProgress }: RulesProof): Promise<void> {
  for (let n = 0; n < histories; n++) {
    await withLabel(`history of seed ${seed + n}`, playRules(seed + n, STEPS))
    onProgress?.(`${n + 1} of ${histories} histories`)
  }
  for (let n = 0; n < previews; n++) {
    await withLabel(`preview of seed ${seed + n}`, playPreview(seed + n, STEPS))
    onProgress?.(`${n + 1} of ${previews} previews`)
  }
  let breaks = 0
  for (let n = 0; n < broken; n++) {
    breaks += await withLabel(`broken writes of seed ${seed + n}`, playBrokenWrites(seed + n, STEPS))
    onProgress?.(`${n + 1} of ${broken} histories with broken writes`)
  }
  if (broken > 0 && breaks === 0) throw new Error('no write failed')
}

async function withLabel<Result>(what: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: Error) => {
    error.message = `${what}: ${error.message}`
    throw error
  })
}
