// The secret store: small secrets that must not be in the log, by kind and id, durable before a call resolves.
// Callers see plain bytes; stored values are encrypted under the master key (stores/log-decorators/sealing/vault.ts).

/**
 * The kinds of secret: the secret of an HMAC key; a player's encryption key; the hash of a guest token, refresh token
 * or password; a player's login or e-mail address; the installation's own: its root secret and progress markers;
 * the day on which a key was last used, or a session last got a token; digests of the network addresses of a login; and
 * the blobs that are deleted once this installation owns its file store.
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
  | 'last-used'
  | 'session-used'
  | 'login-addresses'
  | 'blob-deletion'

/** Bytes of a player's encryption key. */
export const PLAYER_KEY_BYTES = 32

/** The kinds that belong to a session. Nothing needs them once it has ended. */
export const SESSION_KINDS: readonly [SecretKind, ...SecretKind[]] = ['refresh-token', 'session-used']

/**
 * The kinds whose values are no secret: a store need not remove old copies of them when they are replaced or destroyed.
 */
export const NOT_SECRET: ReadonlySet<SecretKind> = new Set([
  'last-used',
  'session-used',
  'login-addresses',
  'blob-deletion',
])

export interface Vault {
  /**
   * Stores the value unless there is one already. Returns the value that is stored afterwards: the given or the older
   * one.
   */
  putIfAbsent(kind: SecretKind, id: string, value: Uint8Array): Promise<Uint8Array>
  get(kind: SecretKind, id: string): Promise<Uint8Array | null>
  /**
   * Replaces an existing value; never restores a destroyed one. Returns whether there was a value. The old value is
   * deleted for good, except of a kind in NOT_SECRET.
   */
  replace(kind: SecretKind, id: string, value: Uint8Array): Promise<boolean>
  /** Deletes the value for good, also from the store's free pages, except of a kind in NOT_SECRET. */
  destroy(kind: SecretKind, id: string): Promise<void>
  /**
   * Deletes the value as `destroy` does and leaves a tombstone, so nothing can be stored there again: from then on
   * `get` and `putIfAbsent` return an empty value.
   */
  destroyForGood(kind: SecretKind, id: string): Promise<void>
  /**
   * Ids of one kind after a given one, or from the first, in an order that the store defines; fewer than `limit` only
   * at the end.
   */
  idsOf(kind: SecretKind, after: string | null, limit: number): Promise<readonly string[]>
  close(): Promise<void>
}

export interface SecretReference {
  readonly kind: SecretKind
  readonly id: string
}

export interface Secret extends SecretReference {
  readonly value: Uint8Array
}

/** The vault as stores implement it, with what key rotation needs. */
export interface VaultStore extends Vault {
  /**
   * Secrets after a given one, or from the first, in an order that the store defines; fewer than `limit` only at the
   * end. Paging returns each secret that exists throughout, and none twice.
   */
  scan(after: SecretReference | null, limit: number): Promise<readonly Secret[]>
  /** Compare-and-set: replaces `before` by `after`. Returns false and changes nothing if the value is not `before`. */
  swap(reference: SecretReference, before: Uint8Array, after: Uint8Array): Promise<boolean>
}
