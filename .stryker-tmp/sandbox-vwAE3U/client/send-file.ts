// An upload as a whole. Begun again with the same Idempotency-Key it is the same upload, so that however often it is
// cut there is one; and bytes whose answer was lost are completed, not sent once more.

import type { BegunUpload, NewUpload, StoredFile } from './file-shapes.ts'
import { createPatience, type Persistence, persist } from './persist.ts'
import { ProblemError, problemOf, Unreachable } from './problem.ts'

/**
 * Sends all bytes to the link. Rejects with Unreachable where they were cut, with ProblemError where they were refused.
 */
export type SendBytes = (link: BegunUpload, signal: AbortSignal | undefined) => Promise<void>

export interface UploadSteps {
  beginUpload(bucket: string, upload: NewUpload, key?: string): Promise<BegunUpload>
  completeUpload(bucket: string, upload: string): Promise<StoredFile>
}

/** What a dead link is answered with: 404 by our own door, 403 by others whose links expired. */
const DEAD: ReadonlySet<number> = new Set([403, 404])
/** New uploads begun because the one before expired first. */
const UPLOADS_MOST = 3

export async function sendFile(
  steps: UploadSteps,
  { bucket, file, send }: { readonly bucket: string; readonly file: NewUpload; readonly send: SendBytes },
  options: Persistence,
): Promise<StoredFile> {
  const patience = createPatience(options)
  for (let uploads = 1; ; uploads++) {
    const key = crypto.randomUUID()
    try {
      const id = await persist(patience, async () => {
        const begun = await steps.beginUpload(bucket, file, key)
        await send(begun, options.signal).catch(unlessDead)
        return begun.upload_id
      })
      return await persist(patience, () => steps.completeUpload(bucket, id))
    } catch (why) {
      if (uploads === UPLOADS_MOST || !isOver(why)) throw why
    }
  }
}

/** The link may be dead as the bytes are there, their answer lost: completing tells. */
function unlessDead(why: unknown): void {
  if (!(why instanceof ProblemError) || !DEAD.has(why.status)) throw why
}

/** The link was dead and the bytes are not there: the upload's time is over. */
const isOver = (why: unknown): boolean => why instanceof ProblemError && why.code === 'upload_incomplete'

/** Sends bytes that are at hand. */
export function sendBy(content: Blob): SendBytes {
  return async ({ method, url, headers }, signal) => {
    let answer: Response
    try {
      answer = await fetch(url, { method, headers, body: content, redirect: 'error', signal: signal ?? null })
      if (answer.ok) await answer.arrayBuffer()
    } catch (why) {
      if (signal?.aborted === true) throw signal.reason
      throw new Unreachable(new URL(url).origin, why)
    }
    if (!answer.ok) throw await problemOf(answer)
  }
}
