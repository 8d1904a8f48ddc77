// The in-process rankings pass the contract.

import { rankingsChecks } from '../contracts/rankings.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import { createRankings } from '../memory/rankings-in-process.ts'

testContract('Rankings in process', rankingsChecks, async () => createRankings())
