// The time and the result of the last verification of this installation, in one document beside the views. It is lost
// with the views.

import { unsafeCast } from '../../domain/event.ts'
import type { Views } from '../../stores/contract/views.ts'

const VIEW = { key: 'verified@1', collections: [{ name: 'verified', indexes: {} }] }
const ID = 'last'

export interface Verification {
  /** When it ended: ISO 8601, UTC. */
  readonly at: string
  readonly equal: boolean
}

export interface LastVerification {
  /** Null: there was none. */
  read(): Promise<Verification | null>
  /** If two nodes record at once, one of them counts. */
  record(verification: Verification): Promise<void>
}

export function createLastVerification(views: Pick<Views, 'prepare' | 'get' | 'commit'>): LastVerification {
  let prepared: Promise<void> | null = null

  async function stored() {
    prepared ??= views.prepare(VIEW)
    await prepared.catch((error: unknown) => {
      prepared = null
      throw error
    })
    const [document] = await views.get(VIEW.key, 'verified', [ID])
    return document ?? null
  }
  return {
    async read() {
      const document = await stored()
      return document === null ? null : unsafeCast<Verification>(document.body)
    },
    async record({ at, equal }) {
      const pos = String(Number((await stored())?.pos ?? '') + 1).padStart(16, '0')
      const write = { collection: 'verified', id: ID, pos, body: { at, equal } }
      await views.commit([{ view: VIEW.key, writes: [write], checkpoints: new Map() }])
    },
  }
}
