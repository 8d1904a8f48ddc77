// The master keys of a simulated history: which one encrypts now, and the rotation to the next. Every node can decrypt
// with both, like nodes that were given both.

import { type MasterSecrets, sealingKeys } from '../../../credentials/master.ts'
import type { VaultStore } from '../../../stores/contract/vault.ts'
import { type Reencrypted, reencrypt } from '../../../stores/log-decorators/sealing/reencrypt.ts'
import type { MasterKeys } from '../../../stores/log-decorators/sealing/row.ts'

const KEYS = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)] as const

export interface Masters {
  /** Keys for a node that starts now, and for key rotation. */
  keys(): MasterKeys
  /** Switches the key that nodes encrypt with from their next start on. */
  rotate(): void
  /** Whether some secret may still be encrypted under another key. */
  readonly wasRotated: boolean
  /** Re-encrypts the whole vault under the current key. */
  seal(vault: VaultStore): Promise<Reencrypted>
}

export function createMasters(): Masters {
  const sealing = KEYS.map((current, at) => sealingKeys(both(current, KEYS[1 - at] as Buffer)))
  let at = 0
  let wasRotated = false
  const keys = () => sealing[at] as MasterKeys
  return {
    keys,
    get wasRotated() {
      return wasRotated
    },
    rotate: () => {
      at = 1 - at
      wasRotated = true
    },
    seal: (vault) => reencrypt(vault, keys()),
  }
}

const both = (current: Uint8Array, other: Uint8Array): MasterSecrets => ({ current, previous: [other] })
