// The full contract of the log, for writers, readers and subscribers.

import type { Log } from '../../stores/contract/log.ts'
import { appending } from './log-appending.suite.ts'
import { following } from './log-following.suite.ts'
import { reading } from './log-reading.suite.ts'
import type { Check } from './test-contract.ts'

export const logChecks: readonly Check<Log>[] = [...appending, ...reading, ...following]
