// The days of last use, with failures in the log.

import type { Logger } from 'pino'
import { createLastUsed, type LastUsed, type LastUsedKind } from '../access/last-used.ts'
import type { Vault } from '../stores/contract/vault.ts'

interface Parts {
  readonly stores: { readonly vault: Vault }
  readonly log: Pick<Logger, 'warn'>
}

export function recordedLastUsed({ stores, log }: Parts, kind: LastUsedKind): LastUsed {
  return createLastUsed(stores.vault, kind, (error) =>
    log.warn({ kind, failure: String(error) }, 'a day of last use could not be recorded'),
  )
}
