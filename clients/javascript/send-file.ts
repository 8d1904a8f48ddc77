// Uploads a file completely. Retries use the same Idempotency-Key, so there is only one upload, however often the
// connection is cut. If only the answer to the bytes was lost, the upload is completed without resending them.

import type { BegunUpload, NewUpload, StoredFile } from './file-shapes.ts'
import { createPatience, type Persistence, persist } from './persist.ts'
import { ProblemError, problemOf, Unreachable } from './problem.ts'

/**
 * Sends all bytes to the link. Rejects with Unreachable if the connection was cut, with ProblemError if they were
 * rejected.
 */
export type SendBytes = (link: BegunUpload, signal: AbortSignal | undefined) => Promise<void>

export interface UploadSteps {
  beginUpload(bucket: string, upload: NewUpload, key?: string): Promise<BegunUpload>
  completeUpload(bucket: string, upload: string): Promise<StoredFile>
}

/** Statuses of an expired link: 404 from our own endpoint, 403 from other stores. */
const DEAD: ReadonlySet<number> = new Set([403, 404])
/** Maximum uploads to begin, if earlier ones expired. */
const MAX_UPLOADS = 3

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
        const newUpload = await steps.beginUpload(bucket, file, key)
        await send(newUpload, options.signal).catch(unlessDead)
        return newUpload.upload_id
      })
      return await persist(patience, () => steps.completeUpload(bucket, id))
    } catch (error) {
      if (uploads === MAX_UPLOADS || !isOver(error)) throw error
    }
  }
}

/**
 * The link may be dead because the bytes have arrived and only the answer was lost. Completing the upload finds out.
 */
function unlessDead(error: unknown): void {
  if (!(error instanceof ProblemError) || !DEAD.has(error.status)) throw error
}

/** The link was dead and the bytes are missing, so the upload has expired. */
const isOver = (error: unknown): boolean => error instanceof ProblemError && error.code === 'upload_incomplete'

/** Sends bytes in memory. */
export function sendBy(content: Blob): SendBytes {
  return async ({ method, url, headers }, signal) => {
    let answer: Response
    try {
      answer = await fetch(url, { method, headers, body: content, redirect: 'error', signal: signal ?? null })
      if (answer.ok) await answer.arrayBuffer()
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      throw new Unreachable(new URL(url).origin, error)
    }
    if (!answer.ok) throw await problemOf(answer)
  }
}
