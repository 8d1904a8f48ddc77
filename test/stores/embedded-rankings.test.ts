// The in-process rankings pass the contract, and every check of it fails for rankings that do nothing.

import { createDoNothingRankings } from '../contracts/do-nothing-rankings.ts'
import { rankingsChecks } from '../contracts/rankings.ts'
import { failsOnNothing, testContract } from '../contracts/test-contract.ts'
import { createRankings } from '../memory/rankings-in-process.ts'

testContract('Rankings in process', rankingsChecks, async () => createRankings())
failsOnNothing('The contract of rankings', rankingsChecks, async () => createDoNothingRankings())
