// The keys that this installation works with, each derived for one purpose (HKDF-SHA256, RFC 5869), so that none of
// them tells anything about another. Those that seal come from the master keys, which may change; all others from the
// root secret, which is stored encrypted in the vault and never changes.

import { createHmac, hkdfSync } from 'node:crypto'

export interface WorkingKeys {
  /** Signs bearer tokens. */
  readonly token: Uint8Array
  /** Makes the ids and secrets of calls with an Idempotency-Key. */
  readonly generator: Uint8Array
  /** Gives unknown key prefixes an algorithm that stays the same. */
  readonly decoy: Uint8Array
  /** Hides external ids in stream names, and bodies in the hashes of calls. */
  readonly digest: Uint8Array
  /** Makes the links to files' bytes. */
  readonly link: Uint8Array
  /** Seals consistency tokens. */
  readonly consistency: Uint8Array
  /** Opens the consistency tokens of versions before 0.2.0; 64 bytes. 0.3.0 deletes it. */
  readonly oldConsistency: Uint8Array
  /** Names this installation; no secret. Every node on the same vault has the same. */
  readonly installation: string
}

/** Master keys, each of 32 bytes or more: the one that seals, and others that may still open what was sealed before. */
export interface MasterSecrets {
  readonly current: Uint8Array
  readonly previous: readonly Uint8Array[]
}

/** Encrypts the vault's secrets. */
export interface SealingKey {
  /** Tells which master key it comes from, and nothing of it: 16 hexadecimal digits. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
  readonly master: Uint8Array
}

/** `root` is at least 32 bytes. */
export function workingKeys(root: Uint8Array): WorkingKeys {
  const derive = deriving(root)
  return {
    token: derive('token'),
    generator: derive('mint'),
    decoy: derive('decoy'),
    digest: derive('digest'),
    link: derive('link'),
    consistency: derive('consistency token'),
    oldConsistency: Buffer.concat([derive('consistency mac'), derive('consistency keystream')]),
    installation: Buffer.from(derive('installation')).toString('hex').slice(0, 24),
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

/** HMAC-SHA256 over parts, each with its length before it, so that no two lists of parts give the same bytes. */
export function keyedDigest(key: Uint8Array, ...parts: readonly string[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part};`)
  return mac.digest()
}
