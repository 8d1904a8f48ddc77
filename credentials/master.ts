// The keys that this installation works with, each derived from the master key for one purpose (HKDF-SHA256, RFC 5869), so
// that none of them tells anything about another.

import { createHmac, hkdfSync } from 'node:crypto'

export interface WorkingKeys {
  /** Signs bearer tokens. */
  readonly token: Uint8Array
  /** Makes the ids and secrets of calls with an Idempotency-Key. */
  readonly mint: Uint8Array
  /** Gives unknown key prefixes an algorithm that stays the same. */
  readonly decoy: Uint8Array
  /** Hides external ids in stream names, and bodies in the hashes of calls. */
  readonly digest: Uint8Array
  /** Makes the links to files' bytes. */
  readonly link: Uint8Array
  /** Names this installation in consistency tokens; no secret. Every node with the same master key has the same. */
  readonly installation: string
  /** Seals what lies in the vault; the id tells which master key it comes from. */
  readonly seal: { readonly id: string; readonly key: Uint8Array }
}

/** `master` is at least 32 bytes. */
export function workingKeys(master: Uint8Array): WorkingKeys {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', master, new Uint8Array(0), `scorebook ${purpose} 1`, 32))
  return {
    token: derive('token'),
    mint: derive('mint'),
    decoy: derive('decoy'),
    digest: derive('digest'),
    link: derive('link'),
    installation: Buffer.from(derive('installation')).toString('hex').slice(0, 24),
    seal: { id: Buffer.from(derive('seal id')).toString('hex').slice(0, 16), key: derive('seal') },
  }
}

/** HMAC-SHA256 over parts, each with its length before it, so that no two lists of parts give the same bytes. */
export function keyedDigest(key: Uint8Array, ...parts: readonly string[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part};`)
  return mac.digest()
}
