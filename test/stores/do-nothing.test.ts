// Every check of every contract must fail for a store that does nothing.

import { doNothingLog } from '../contracts/do-nothing-log.ts'
import { logChecks } from '../contracts/log.ts'
import { failsOnNothing } from '../contracts/sign.ts'

failsOnNothing('a log that does nothing', logChecks, doNothingLog)
