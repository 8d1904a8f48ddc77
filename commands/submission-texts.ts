// Caches the details and the position of each stream's shown submission: the answer to a later one that is not shown
// has the details and needs the position for the rank, and the folded state does not hold them.

import { type Position, unsafeCast } from '../domain/event.ts'
import { detailsLength, detailsOf, type ScoreDetails } from '../domain/score.ts'
import { lruOfSize } from '../runtime/lru.ts'
import type { Log } from '../stores/contract/log.ts'

/** Maximum characters of all texts and stream names in memory. */
export const KEPT_CHARACTERS = 8 * 1024 * 1024
/** A submission with more characters is read from the log when it is shown. */
const KEPT_CHARACTERS_EACH = 1_024

/** What the folded state does not hold of a recorded submission. */
export interface SubmissionRest {
  readonly details: ScoreDetails
  readonly position: Position
  /**
   * The position is that of a later submission of the same append. Ranks on a unique board are the same with it; where
   * each submission is an entry, others of the player may be between.
   */
  readonly isLater?: true
}

interface Kept extends SubmissionRest {
  readonly revision: number
}

export interface SubmissionTexts {
  /** Notes a stream's shown submission. Its details are kept as given: pass `detailsOf`. */
  note(stream: string, revision: number, rest: SubmissionRest): void
  /**
   * Of the submission at a revision, which must exist; from the log if it is not in memory. `exactly`: with its own
   * position.
   */
  of(stream: string, revision: number, exactly: boolean): Promise<SubmissionRest>
}

/**
 * Keeps the details of one submission of each of the streams used last. They change only when their player is deleted,
 * who then submits no more.
 */
export function createSubmissionTexts(log: Pick<Log, 'readStream'>): SubmissionTexts {
  const kept = lruOfSize<string, Kept>(KEPT_CHARACTERS, ({ details }, stream) => stream.length + detailsLength(details))

  function note(stream: string, revision: number, rest: SubmissionRest): void {
    if (detailsLength(rest.details) > KEPT_CHARACTERS_EACH) kept.delete(stream)
    else kept.set(stream, { revision, ...rest })
  }

  return {
    note,
    async of(stream, revision, exactly) {
      const known = kept.get(stream)
      if (known?.revision === revision && !(exactly && known.isLater)) return known
      const rest = await readRest(log, stream, revision)
      note(stream, revision, rest)
      return rest
    },
  }
}

/** Of the submission at a revision, which must exist, from the log. */
export async function readRest(
  log: Pick<Log, 'readStream'>,
  stream: string,
  revision: number,
): Promise<SubmissionRest> {
  const [event] = await log.readStream(stream, revision, 1)
  if (event === undefined) throw new Error(`${stream} has no revision ${revision}`)
  return { details: detailsOf(unsafeCast<ScoreDetails>(event.data)), position: event.position }
}
