// An API key: its game, kind, signature algorithm and permissions. Its secret is in the vault.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import type { MayGrant } from './permissions.ts'
import { streamName } from './streams.ts'

export const keyStream = (prefix: string): string => streamName('key-', prefix)

export type KeyKind = 'server' | 'client'
export type KeyAlgorithm = 'hmac-sha256' | 'ed25519'

/** The prefix of a key is that of its kind, followed by its id. */
export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = { server: 'sk_', client: 'ck_' }

export interface KeyIssuedData {
  /** Null for the operator's key. */
  readonly game: string | null
  readonly name: string
  readonly kind: KeyKind
  readonly algorithm: KeyAlgorithm
  readonly permissions: readonly string[]
  /** Ed25519 only: 32 bytes, base64url. */
  readonly publicKey: string | null
}

export type KeyEvent =
  | { readonly type: 'KeyIssued'; readonly data: KeyIssuedData }
  | { readonly type: 'KeyPermissionsChanged'; readonly data: { readonly permissions: readonly string[] } }
  | { readonly type: 'KeyRevoked'; readonly data: Readonly<Record<string, never>> }

export interface Key extends KeyIssuedData {
  readonly created: string
  readonly revoked: boolean
}

export const key: Aggregate<Key | null, KeyEvent> = {
  name: 'key',
  initial: null,
  evolve(state, event, at) {
    if (event.type === 'KeyIssued') return { ...event.data, created: at.time, revoked: false }
    if (state === null) return null
    switch (event.type) {
      case 'KeyPermissionsChanged':
        return { ...state, permissions: event.data.permissions }
      case 'KeyRevoked':
        return { ...state, revoked: true }
      default:
        return state
    }
  },
}

export function issueKey(data: KeyIssuedData): Decision<Key | null, KeyEvent> {
  return (state) => (state === null ? [{ type: 'KeyIssued', data }] : [])
}

/** 409 `key_revoked` for a revoked key. `mayGrant` gets the permissions that the key does not have yet. */
export function changePermissions(permissions: readonly string[], mayGrant: MayGrant): Decision<Key | null, KeyEvent> {
  return (state) => {
    const present = existing(state)
    if (present.revoked) throw new Refusal('conflict', 'key_revoked', 'This key is revoked. Issue another one.')
    mayGrant(permissions.filter((permission) => !present.permissions.includes(permission)))
    const same = JSON.stringify(present.permissions) === JSON.stringify(permissions)
    return same ? [] : [{ type: 'KeyPermissionsChanged', data: { permissions } }]
  }
}

export const revokeKey: Decision<Key | null, KeyEvent> = (state) =>
  existing(state).revoked ? [] : [{ type: 'KeyRevoked', data: {} }]

function existing(state: Key | null): Key {
  if (state === null) throw new Refusal('not_found', 'key_not_found', 'There is no such key.')
  return state
}
