// `npm run proof:rules`: random histories of boards whose rules change, and previews of them, in full numbers.

import { playPreview, playRules } from './rules-play.ts'

const STEPS = 120

interface Numbers {
  readonly histories: number
  readonly previews: number
  readonly seed: number
  /** Called after each of them. */
  readonly told?: (line: string) => void
}

/** Rejects with the seed that failed. */
export async function proveRules({ histories, previews, seed, told }: Numbers): Promise<void> {
  for (let n = 0; n < histories; n++) {
    await named(`history of seed ${seed + n}`, playRules(seed + n, STEPS))
    told?.(`${n + 1} of ${histories} histories`)
  }
  for (let n = 0; n < previews; n++) {
    await named(`preview of seed ${seed + n}`, playPreview(seed + n, STEPS))
    told?.(`${n + 1} of ${previews} previews`)
  }
}

async function named(what: string, work: Promise<void>): Promise<void> {
  await work.catch((why: Error) => {
    why.message = `${what}: ${why.message}`
    throw why
  })
}
