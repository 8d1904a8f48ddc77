// The vault: what must not stand in the log. Small secrets by kind and id, durable before a call answers. Callers see
// plain bytes; what lies in the store is sealed under the master key (stores/sealing/vault.ts).

/**
 * What a secret is: an HMAC key's secret, a player's sealing key, the hash of a guest token, of a refresh token or of a
 * password, a player's e-mail address, or the mark by which the installation's master key is known again.
 */
export type SecretKind =
  | 'key-secret'
  | 'player-key'
  | 'guest-token'
  | 'refresh-token'
  | 'password'
  | 'email'
  | 'installation'

export interface Vault {
  /** Stores unless there is one already; answers the one that stands afterwards (its own, or the one that was first). */
  putIfAbsent(kind: SecretKind, id: string, value: Uint8Array): Promise<Uint8Array>
  get(kind: SecretKind, id: string): Promise<Uint8Array | null>
  /** Puts another value in the place of one that is there; what was destroyed stays so. Answers whether there was one. */
  replace(kind: SecretKind, id: string, value: Uint8Array): Promise<boolean>
  /** Gone for good, also from the store's free pages. */
  destroy(kind: SecretKind, id: string): Promise<void>
  /**
   * Gone for good as by `destroy`, or never there, and nothing takes its place: from then on an empty value stands there,
   * which `get` and `putIfAbsent` answer.
   */
  bury(kind: SecretKind, id: string): Promise<void>
  close(): Promise<void>
}
