// Verifies the live views of these stores against views rebuilt in a temporary file. The file contains players' text,
// so it is unlinked: no other process can open it, and it is gone when this process ends in any way.

import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { viewsOver } from '../projections/all.ts'
import { history as historyView } from '../projections/history.ts'
import { viewKey } from '../projections/projection.ts'
import { createLastVerification } from '../projections/verify/last-verification.ts'
import type { Report } from '../projections/verify/report.ts'
import { verify } from '../projections/verify/verify.ts'
import type { VerifyProgress } from '../projections/verify/verify-context.ts'
import { historyInViews } from '../queries/history.ts'
import type { Stores } from '../stores/contract/stores.ts'
import type { Views } from '../stores/contract/views.ts'
import { openViews } from '../stores/embedded/views.ts'

/**
 * Maximum characters of cached documents in one collection. With this limit a verification takes about 350 MB for any
 * log size, plus 180 bytes per player for the folds of a leaderboard's rules. Mapped pages of the temporary file are
 * not counted.
 */
const DOCUMENT_CHARACTERS = 1_048_576

type Verify = (onProgress: (progress: VerifyProgress) => void, signal: AbortSignal) => Promise<Report>

/**
 * `ranked`: also compare the rankings; false if they are in the memory of another process. Needs disk space for a copy
 * of the views. Records beside the live views when it ended, and with which result.
 */
export function verifier(
  stores: Pick<Stores, 'log' | 'history' | 'revisions' | 'views' | 'rankings'>,
  dataDir: string,
  ranked: boolean,
  now: () => number = Date.now,
): Verify {
  return async (onProgress, signal) => {
    const temporary = await openTemporaryViews(dataDir)
    try {
      const { log, revisions, views: live } = stores
      const rankings = ranked ? stores.rankings : null
      const history = stores.history ?? historyInViews(temporary, viewKey(historyView))
      const report = await verify(
        {
          ...{ log, history, live, rankings, scratch: temporary, projections: viewsOver(stores) },
          ...(revisions && { revisions }),
        },
        onProgress,
        signal,
      )
      await createLastVerification(live).record({ at: new Date(now()).toISOString(), equal: report.equal })
      return report
    } finally {
      await temporary.close()
    }
  }
}

/**
 * Views in an unlinked file, in the data folder or, if that is not writable, in the system's temporary folder.
 */
export async function openTemporaryViews(dataDir: string): Promise<Views> {
  const folder = await mkdir(dataDir, { recursive: true, mode: 0o700 })
    .then(() => access(dataDir, constants.W_OK))
    .then(() => dataDir)
    .catch(() => tmpdir())
  const path = join(folder, `beside-${randomBytes(9).toString('base64url')}.sqlite`)
  const views = await openViews(path, { documentCharacters: DOCUMENT_CHARACTERS, ranksInFile: true, isTemporary: true })
  // An unlinked file stays readable until the process that opened it ends.
  for (const end of ['', '-wal']) await rm(`${path}${end}`, { force: true })
  return views
}
