// The active-build pointer: one document beside the views, updated by compare-and-set. If it is lost together with the
// views, every view is at its first build and is rebuilt from the log.

import { randomUUID } from 'node:crypto'
import { type JsonObject, unsafeCast } from '../../domain/event.ts'
import type { Views } from '../../stores/contract/views.ts'
import { type Builds, NO_BUILDS } from './state.ts'

const VIEW = { key: 'builds@1', collections: [{ name: 'builds', indexes: {} }] }
const ID = 'builds'

export interface BuildPointer {
  read(): Promise<Builds>
  /**
   * Applies `next` to the current value and stores the result; repeats if another node changed it meanwhile. Rejects
   * with what `next` throws.
   */
  change(next: (builds: Builds) => Builds): Promise<Builds>
}

interface Stored {
  readonly builds: Builds
  /** A random id per change: if two nodes write the same revision, the first one wins. */
  readonly by: string
}

export function createBuildPointer(views: Views): BuildPointer {
  let prepared: Promise<void> | null = null

  async function stored(): Promise<{ readonly pos: string; readonly body: Stored | null }> {
    prepared ??= views.prepare(VIEW)
    await prepared.catch((error: unknown) => {
      prepared = null
      throw error
    })
    const [document] = await views.get(VIEW.key, ID, [ID])
    return { pos: document?.pos ?? '', body: document ? unsafeCast<Stored>(document.body) : null }
  }

  return {
    read: async () => (await stored()).body?.builds ?? NO_BUILDS,
    async change(next) {
      for (;;) {
        const { pos, body } = await stored()
        const before = body?.builds ?? NO_BUILDS
        const builds = next(before)
        if (builds === before) return builds
        const made: Stored = { builds, by: randomUUID() }
        const revision = String(Number(pos) + 1).padStart(16, '0')
        const write = { collection: ID, id: ID, pos: revision, body: unsafeCast<JsonObject>(made) }
        await views.commit([{ view: VIEW.key, writes: [write], checkpoints: new Map() }])
        await views.durable()
        if ((await stored()).body?.by === made.by) return builds
      }
    },
  }
}
