// The contract of rankings: exact ranks under any history of changes, including replays after a crash, and no answers
// until they are filled. The reference is a sorted array.

import type { AllRankings } from '../../stores/contract/rankings.ts'
import { apartChecks } from './rankings-apart.suite.ts'
import { fillingChecks } from './rankings-filling.suite.ts'
import { historyChecks } from './rankings-histories.suite.ts'
import { puttingChecks } from './rankings-putting.suite.ts'
import { readingChecks } from './rankings-reading.suite.ts'
import { replayChecks } from './rankings-replays.suite.ts'
import type { Check } from './test-contract.ts'

/** Every promise of stores/contract/rankings.ts. `make` opens rankings that are not filled. */
export const rankingsChecks: readonly Check<AllRankings>[] = [
  ...puttingChecks,
  ...readingChecks,
  ...fillingChecks,
  ...historyChecks,
  ...replayChecks,
  ...apartChecks,
]
