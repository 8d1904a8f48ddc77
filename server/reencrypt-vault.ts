// Re-encrypts secrets from previous master keys under the present one, while the process serves.

import type { Logger } from 'pino'
import { type MasterSecrets, sealingKeys } from '../credentials/master.ts'
import type { OpenedStores } from '../stores/contract/stores.ts'
import { type Reencrypted, reencryptBeside } from '../stores/log-decorators/sealing/reencrypt.ts'
import type { Config } from './config.ts'

interface Setting {
  readonly config: Pick<Config, 'servers'>
  readonly log: Logger
  readonly master: MasterSecrets
}

/**
 * Only this process has the embedded vault open, so it re-encrypts the secrets of previous master keys. On servers,
 * `scorebook master-key rotate` does this once no process encrypts with them. Null if there is nothing to do.
 */
export function reencryptVault(
  { vault }: OpenedStores,
  { config, log, master }: Setting,
): { stop(): Promise<void> } | null {
  if (config.servers !== null || master.previous.length === 0) return null
  return reencryptBeside(vault, sealingKeys(master), {
    done: ({ reencrypted, foreign, damaged, isComplete }: Reencrypted) => {
      const fields = { resealed: reencrypted, damaged, under_other_keys: Object.fromEntries(foreign) }
      if (isComplete) log.info(fields, 'the present master key encrypts the whole vault')
      else log.error(fields, 'part of the vault is encrypted under master keys that are not set')
    },
    failed: (error) =>
      log.error({ failure: String(error) }, 're-encrypting the vault failed; the next start continues it'),
  })
}
