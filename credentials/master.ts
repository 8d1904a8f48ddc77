// The installation's working keys, each derived for one purpose (HKDF-SHA256, RFC 5869), so that none reveals another.
// Keys that encrypt the vault are derived from the master keys, which may change; all others from the root secret,
// which is stored encrypted in the vault and never changes.

import { createHmac, hkdfSync } from 'node:crypto'

export interface WorkingKeys {
  /** Signs bearer tokens. */
  readonly token: Uint8Array
  /** Derives the ids and secrets of calls with an Idempotency-Key. */
  readonly generator: Uint8Array
  /** Chooses a constant algorithm for each unknown key prefix. */
  readonly decoy: Uint8Array
  /** Keys the digests of external ids in stream names and of calls. */
  readonly digest: Uint8Array
  /** Signs links to file bytes. */
  readonly link: Uint8Array
  /** Encrypts consistency tokens. */
  readonly consistency: Uint8Array
  /**
   * Makes the authentication codes of backups. It does not depend on the restore: a backup contains the root secret
   * only.
   */
  readonly backup: Uint8Array
  /** Opens the consistency tokens of versions before 0.2.0; 64 bytes. 0.3.0 deletes it. */
  readonly oldConsistency: Uint8Array
  /** Identifies this installation; not secret. The same on every node with this vault. */
  readonly installation: string
}

/** Master keys of 32 bytes or more: the one that encrypts, and previous ones that only decrypt. */
export interface MasterSecrets {
  readonly current: Uint8Array
  readonly previous: readonly Uint8Array[]
}

/** Encrypts the vault's secrets. */
export interface SealingKey {
  /** Identifies its master key without revealing it: 16 hexadecimal digits. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
  readonly master: Uint8Array
}

/**
 * `root` is at least 32 bytes. `restoreId`: the id of the restore that this installation was made by, or null. Keys of
 * what must not outlive a restore (tokens, links, the id of the installation) also depend on it.
 */
export function workingKeys(root: Uint8Array, restoreId: string | null = null): WorkingKeys {
  const derive = deriving(root)
  const deriveForRestore =
    restoreId === null ? derive : (purpose: string) => derive(`${purpose} after restore ${restoreId}`)
  return {
    token: deriveForRestore('token'),
    generator: derive('mint'),
    decoy: derive('decoy'),
    digest: derive('digest'),
    link: deriveForRestore('link'),
    consistency: deriveForRestore('consistency token'),
    backup: derive('backup'),
    oldConsistency: Buffer.concat([deriveForRestore('consistency mac'), deriveForRestore('consistency keystream')]),
    installation: Buffer.from(deriveForRestore('installation')).toString('hex').slice(0, 24),
  }
}

export function sealingKey(master: Uint8Array): SealingKey {
  const derive = deriving(master)
  return { id: Buffer.from(derive('seal id')).toString('hex').slice(0, 16), key: derive('seal'), master }
}

export function sealingKeys({ current, previous }: MasterSecrets) {
  return { current: sealingKey(current), previous: previous.map(sealingKey) }
}

const deriving = (secret: Uint8Array) => (purpose: string) =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), `scorebook ${purpose} 1`, 32))

/** HMAC-SHA256 over length-prefixed parts, so that different lists of parts never give the same input. */
export function keyedDigest(key: Uint8Array, ...parts: readonly string[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part};`)
  return mac.digest()
}
