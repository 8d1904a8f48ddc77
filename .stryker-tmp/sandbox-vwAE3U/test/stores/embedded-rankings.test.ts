// The in-process rankings pass the contract, and every check of it fails for rankings that do nothing.

import { createRankings } from '../../stores/embedded/rankings.ts'
import { createDoNothingRankings } from '../contracts/do-nothing-rankings.ts'
import { rankingsChecks } from '../contracts/rankings.ts'
import { failsOnNothing, sign } from '../contracts/sign.ts'

sign('Rankings in process', rankingsChecks, async () => createRankings())
failsOnNothing('The contract of rankings', rankingsChecks, async () => createDoNothingRankings())
