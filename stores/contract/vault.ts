// The vault: what must not stand in the log. Small secrets by kind and id, durable before a call answers. Callers see
// plain bytes; the stored form is encrypted under the master key (stores/sealing/vault.ts).

/**
 * What a secret is: an HMAC key's secret, a player's sealing key, the hash of a guest token, of a refresh token or of a
 * password, a player's login or e-mail address, or what is the installation's own: its root secret,
 * and marks of how far it has come.
 */
export type SecretKind =
  | 'key-secret'
  | 'player-key'
  | 'guest-token'
  | 'refresh-token'
  | 'password'
  | 'login'
  | 'email'
  | 'installation'

export interface Vault {
  /**
   * Stores unless there is one already; answers the one that stands afterwards (its own, or the one that was first).
   */
  putIfAbsent(kind: SecretKind, id: string, value: Uint8Array): Promise<Uint8Array>
  get(kind: SecretKind, id: string): Promise<Uint8Array | null>
  /**
   * Puts another value in the place of one that is there; what was destroyed stays so. Answers whether there was one.
   */
  replace(kind: SecretKind, id: string, value: Uint8Array): Promise<boolean>
  /** Gone for good, also from the store's free pages. */
  destroy(kind: SecretKind, id: string): Promise<void>
  /**
   * Gone for good as by `destroy`, or never there, and nothing takes its place: from then on an empty value stands
   * there, which `get` and `putIfAbsent` answer.
   */
  bury(kind: SecretKind, id: string): Promise<void>
  close(): Promise<void>
}

export interface Placed {
  readonly kind: SecretKind
  readonly id: string
}

export interface Secret extends Placed {
  readonly value: Uint8Array
}

/** What a store of secrets offers for re-encryption. */
export interface VaultStore extends Vault {
  /**
   * Secrets after a place, or from the first, in an order of the store's own: fewer than `limit` only at the end. Page
   * by page it comes by each secret that is there all along, and at most once by any.
   */
  scan(after: Placed | null, limit: number): Promise<readonly Secret[]>
  /**
   * Puts `after` in the place of exactly `before`. Answers whether that stood there; where
   * it did not, nothing is changed.
   */
  swap(place: Placed, before: Uint8Array, after: Uint8Array): Promise<boolean>
}
