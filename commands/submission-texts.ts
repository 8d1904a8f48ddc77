// Caches the details of each stream's best submission: the answer to a submission that does not improve shows them, and
// the folded state does not hold them.

import { unsafeCast } from '../domain/event.ts'
import { detailsLength, detailsOf, type ScoreDetails } from '../domain/score.ts'
import { lruOfSize } from '../runtime/lru.ts'
import type { Log } from '../stores/contract/log.ts'

/** Maximum characters of all texts and stream names in memory. */
export const KEPT_CHARACTERS = 8 * 1024 * 1024
/** A submission with more characters is read from the log when it is shown. */
const KEPT_CHARACTERS_EACH = 1_024

interface Kept {
  readonly revision: number
  readonly details: ScoreDetails
}

export interface SubmissionTexts {
  /** Notes the details of a stream's best submission. They are kept as given: pass `detailsOf`. */
  note(stream: string, revision: number, details: ScoreDetails): void
  /** The details of the submission at a revision, which must exist; from the log if they are not in memory. */
  of(stream: string, revision: number): Promise<ScoreDetails>
}

/**
 * Keeps the details of one submission of each of the streams used last. They change only when their player is deleted,
 * who then submits no more.
 */
export function createSubmissionTexts(log: Pick<Log, 'readStream'>): SubmissionTexts {
  const kept = lruOfSize<string, Kept>(KEPT_CHARACTERS, ({ details }, stream) => stream.length + detailsLength(details))

  function note(stream: string, revision: number, details: ScoreDetails): void {
    if (detailsLength(details) > KEPT_CHARACTERS_EACH) kept.delete(stream)
    else kept.set(stream, { revision, details })
  }

  return {
    note,
    async of(stream, revision) {
      const known = kept.get(stream)
      if (known?.revision === revision) return known.details
      const details = await readDetails(log, stream, revision)
      note(stream, revision, details)
      return details
    },
  }
}

/** The details of the submission at a revision, which must exist, from the log. */
export async function readDetails(
  log: Pick<Log, 'readStream'>,
  stream: string,
  revision: number,
): Promise<ScoreDetails> {
  const [event] = await log.readStream(stream, revision, 1)
  if (event === undefined) throw new Error(`${stream} has no revision ${revision}`)
  return detailsOf(unsafeCast<ScoreDetails>(event.data))
}
