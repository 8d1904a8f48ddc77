// The contract of rankings: exact ranks under any history of changes, including replays after a crash, and no answers
// until they are filled. The reference is a sorted array.

import type { AllRankings } from '../../stores/contract/rankings.ts'
import { apartChecks } from './rankings-apart.ts'
import { fillingChecks } from './rankings-filling.ts'
import { historyChecks } from './rankings-histories.ts'
import { puttingChecks } from './rankings-putting.ts'
import { readingChecks } from './rankings-reading.ts'
import { replayChecks } from './rankings-replays.ts'
import type { Check } from './sign.ts'

/** Every promise of stores/contract/rankings.ts. `make` opens rankings that are not filled. */
export const rankingsChecks: readonly Check<AllRankings>[] = [
  ...puttingChecks,
  ...readingChecks,
  ...fillingChecks,
  ...historyChecks,
  ...replayChecks,
  ...apartChecks,
]
