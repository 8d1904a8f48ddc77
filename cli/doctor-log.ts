// Checks that the revisions of the log have no gap and no duplicate.

import { type CheckedLog, checkRevisions } from '../stores/support/check-revisions.ts'
import type { Finding } from './doctor-finding.ts'
import { faultLines, faultsCounted, repairAdvice } from './revision-faults.ts'

const STREAMS_NAMED = 10

/** Null for a log on a server, which assigns the revisions itself. Reads the whole log. */
export async function checkLog({ log, revisions }: CheckedLog): Promise<Finding | null> {
  if (revisions === undefined) return null
  const name = 'revisions'
  const checking = checkRevisions({ log, revisions })
  let step = await checking.next()
  while (step.done !== true) step = await checking.next()
  const found = step.value
  if (found.found === 0) return { name, state: 'ok', detail: 'no stream of the log has a gap or a duplicate' }
  const named = faultLines(found, STREAMS_NAMED).join('; ')
  const more = found.found > STREAMS_NAMED ? '; …' : ''
  return { name, state: 'fail', detail: `${faultsCounted(found)}: ${named}${more}`, fix: repairAdvice('npx scorebook') }
}
