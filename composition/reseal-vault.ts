// Seals what lies under previous master keys under the present one, beside all else that the process does.

import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type MasterSecrets, sealingKeys } from '../credentials/master.ts'
import type { OpenedStores } from '../stores/contract/stores.ts'
import { type Resealed, resealBeside } from '../stores/sealing/reseal.ts'

interface Setting {
  readonly config: Pick<Config, 'mongoUrl'>
  readonly log: Logger
  readonly master: MasterSecrets
}

/**
 * The embedded vault is open in this process alone, which therefore sees to what lies under previous master keys. On
 * servers `scorebook master-key rotate` does, once no process seals under them any more. Null where there is nothing to
 * do.
 */
export function resealVault(
  { vault }: OpenedStores,
  { config, log, master }: Setting,
): { stop(): Promise<void> } | null {
  if (config.mongoUrl !== null || master.previous.length === 0) return null
  return resealBeside(vault, sealingKeys(master), {
    done: ({ resealed, foreign, damaged, isComplete }: Resealed) => {
      const told = { resealed, damaged, under_other_keys: Object.fromEntries(foreign) }
      if (isComplete) log.info(told, 'all of the vault lies under the present master key')
      else log.error(told, 'part of the vault lies under master keys that are not given')
    },
    failed: (why) =>
      log.error({ failure: String(why) }, 'sealing the vault anew failed; the next start goes on with it'),
  })
}
