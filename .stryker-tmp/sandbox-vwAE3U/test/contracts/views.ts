// The full contract of the read models.

import type { Views } from '../../stores/contract/views.ts'
import type { Check } from './sign.ts'
import { finding } from './views-finding.ts'
import { registering } from './views-registering.ts'
import { writing } from './views-writing.ts'

export const viewsChecks: readonly Check<Views>[] = [...writing, ...registering, ...finding]
