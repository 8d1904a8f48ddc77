// The full contract of the log, for writers, readers and subscribers.

import type { Log } from '../../stores/contract/log.ts'
import { appending } from './log-appending.ts'
import { following } from './log-following.ts'
import { reading } from './log-reading.ts'
import type { Check } from './sign.ts'

export const logChecks: readonly Check<Log>[] = [...appending, ...reading, ...following]
