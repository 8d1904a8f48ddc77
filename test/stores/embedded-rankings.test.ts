// The in-process rankings pass the contract.

import { createRankings } from '../../stores/embedded/rankings.ts'
import { rankingsChecks } from '../contracts/rankings.suite.ts'
import { testContract } from '../contracts/test-contract.ts'

testContract('Rankings in process', rankingsChecks, async () => createRankings())
