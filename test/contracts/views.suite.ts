// The full contract of the read models.

import type { Views } from '../../stores/contract/views.ts'
import type { Check } from './test-contract.ts'
import { finding } from './views-finding.suite.ts'
import { registering } from './views-registering.suite.ts'
import { writing } from './views-writing.suite.ts'

export const viewsChecks: readonly Check<Views>[] = [...writing, ...registering, ...finding]
