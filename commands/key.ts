// Commands that issue and revoke keys and change their permissions. A secret is stored in the vault before the key is
// recorded, and only the answer to the issuing call contains it.

import { ed25519Pair } from '../credentials/signatures.ts'
import { toBase64url } from '../credentials/text.ts'
import {
  changePermissions,
  issueKey,
  KEY_PREFIXES,
  type Key,
  type KeyAlgorithm,
  type KeyKind,
  key,
  keyStream,
  revokeKey,
} from '../domain/key.ts'
import type { MayGrant } from '../domain/permissions.ts'
import type { Handled } from './command-batch.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { publishKey } from './publish-revocations.ts'
import * as slots from './slots.ts'
import { recordFor, storeSecret } from './store-secret.ts'

export interface NewKey {
  readonly game: string | null
  readonly name: string
  readonly kind: KeyKind
  readonly algorithm: KeyAlgorithm
  readonly permissions: readonly string[]
  /** Ed25519: the tenant's own public key (base64url); absent: the server generates the pair. */
  readonly publicKey?: string | undefined
}

export interface IssuedKey {
  readonly prefix: string
  readonly key: Key
  /** Answered once: the HMAC secret, or the seed of the generated pair. */
  readonly shown: { readonly secret: string } | { readonly private_key: string } | Readonly<Record<string, never>>
  readonly handled: Handled<Key | null, unknown>
}

/** 422 `too_many_keys`; operator keys are not counted. */
export async function issue(deps: CommandDeps, fresh: NewKey, context: CommandContext): Promise<IssuedKey> {
  const prefix = KEY_PREFIXES[fresh.kind] + context.generator.id('key')
  const bytes = context.generator.secret('key')
  const { game, name, kind, algorithm, permissions } = fresh
  if (game !== null) await slots.take(deps, game, { kind: 'keys', id: prefix }, context)
  let publicKey: string | null = null
  let shown: IssuedKey['shown'] = {}
  if (algorithm === 'hmac-sha256') {
    const secret = toBase64url(bytes)
    await storeSecret(deps.vault, 'key-secret', prefix, Buffer.from(secret))
    shown = { secret }
  } else if (fresh.publicKey === undefined) {
    publicKey = toBase64url(ed25519Pair(bytes).publicKey)
    shown = { private_key: toBase64url(bytes) }
  } else {
    publicKey = fresh.publicKey
  }
  const decision = issueKey({ game, name, kind, algorithm, permissions, publicKey })
  const stored = [{ kind: 'key-secret', id: prefix }] as const
  const handled = await recordFor(deps.vault, stored, () =>
    deps.handler.handle(key, { stream: keyStream(prefix), game }, context, decision),
  )
  return { prefix, key: made(handled.after), shown, handled }
}

export interface KeyChange {
  readonly prefix: string
  /** The key's game, which the caller has looked up. */
  readonly game: string | null
  readonly permissions: readonly string[]
  /** Gets the permissions that the key does not have yet; throws if they must not be granted. */
  readonly mayGrant: MayGrant
}

/** Publishes the change to all nodes before it resolves. */
export async function setPermissions(
  deps: CommandDeps,
  { prefix, game, permissions, mayGrant }: KeyChange,
  context: CommandContext,
) {
  const decision = changePermissions(permissions, mayGrant)
  const handled = await deps.handler.handle(key, { stream: keyStream(prefix), game }, context, decision)
  await publishKey(deps, prefix, handled)
  return handled
}

/** `game` is the key's, which the caller has looked up. Publishes the revocation to all nodes before it resolves. */
export async function revoke(deps: CommandDeps, prefix: string, game: string | null, context: CommandContext) {
  const handled = await deps.handler.handle(key, { stream: keyStream(prefix), game }, context, revokeKey)
  await publishKey(deps, prefix, handled)
  if (game !== null)
    await slots.release(deps, game, { kind: 'keys', id: prefix, isGone: slots.isEnding(handled) }, context)
  return handled
}

function made(state: Key | null): Key {
  if (state === null) throw new Error('a key was issued but has no state')
  return state
}
