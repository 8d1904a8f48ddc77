// Caches the texts (`extra`, `playerName`) of each stream's best submission: the answer to a submission that does not
// improve shows them, and the folded state does not hold them.

import { unsafeCast } from '../domain/event.ts'
import type { ScoreSubmittedData } from '../domain/score.ts'
import { lruOfSize } from '../runtime/lru.ts'
import type { Log } from '../stores/contract/log.ts'

export type Texts = Pick<ScoreSubmittedData, 'extra' | 'playerName'>

/** Maximum characters of all texts and stream names in memory. */
export const KEPT_CHARACTERS = 8 * 1024 * 1024
/** A submission with more characters is read from the log when it is shown. */
const KEPT_CHARACTERS_EACH = 1_024

interface Kept extends Texts {
  readonly revision: number
}

export interface SubmissionTexts {
  /** Notes the texts of a stream's best submission. */
  note(stream: string, revision: number, texts: Texts): void
  /** The texts of the submission at a revision, which must exist; from the log if they are not in memory. */
  of(stream: string, revision: number): Promise<Texts>
}

/**
 * Keeps the texts of one submission of each of the streams used last. Texts change only when their player is deleted,
 * who then submits no more.
 */
export function createSubmissionTexts(log: Pick<Log, 'readStream'>): SubmissionTexts {
  const kept = lruOfSize<string, Kept>(KEPT_CHARACTERS, (texts, stream) => stream.length + lengthOf(texts))

  function note(stream: string, revision: number, { extra, playerName }: Texts): void {
    if (lengthOf({ extra, playerName }) > KEPT_CHARACTERS_EACH) kept.delete(stream)
    else kept.set(stream, { revision, extra, playerName })
  }

  return {
    note,
    async of(stream, revision) {
      const known = kept.get(stream)
      if (known?.revision === revision) return known
      const texts = await readTexts(log, stream, revision)
      note(stream, revision, texts)
      return texts
    },
  }
}

/** The texts of the submission at a revision, which must exist, from the log. */
export async function readTexts(log: Pick<Log, 'readStream'>, stream: string, revision: number): Promise<Texts> {
  const [event] = await log.readStream(stream, revision, 1)
  if (event === undefined) throw new Error(`${stream} has no revision ${revision}`)
  return unsafeCast<ScoreSubmittedData>(event.data)
}

const lengthOf = ({ extra, playerName }: Texts): number => (extra?.length ?? 0) + (playerName?.length ?? 0)
