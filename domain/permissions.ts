// Permissions: strings of parts joined by ':'. A held permission covers a requested one if each part is the same or
// `*`.

export const PERMISSION_MAX_LENGTH = 128
export const PERMISSIONS_ASKED_MAX = 64

/** Parts of `[A-Za-z0-9_-]+` or `*`, joined by `:`. */
export const PERMISSION_GRAMMAR = /^(?:[A-Za-z0-9_-]+|\*)(?::(?:[A-Za-z0-9_-]+|\*))*$/

/**
 * Whether a held permission covers a requested one. A requested `*`, and operator permissions, need the exact string.
 */
export function covers(held: string, asked: string): boolean {
  if (held === asked) return true
  if (asked.includes('*') || !held.includes('*') || isOperators(asked)) return false
  const heldParts = held.split(':')
  const askedParts = asked.split(':')
  return heldParts.length === askedParts.length && heldParts.every((part, i) => part === '*' || part === askedParts[i])
}

export function anyCovers(held: readonly string[], asked: string): boolean {
  return held.some((one) => covers(one, asked))
}

/**
 * Whether a held permission is enough to grant another one to a key: each part is the same, or `*` in the held one.
 * Unlike with `covers`, a `*` may be granted if the same part of the held one is `*`.
 */
export function coversGrant(held: string, granted: string): boolean {
  if (held === granted) return true
  if (isOperators(granted)) return false
  const heldParts = held.split(':')
  const grantedParts = granted.split(':')
  return (
    heldParts.length === grantedParts.length && heldParts.every((part, i) => part === '*' || part === grantedParts[i])
  )
}

/** More than two keys have together. */
const MAX_COMMON = 128

/**
 * What two lists of permissions both grant, without those that another one of the result covers; at most 128. `lb:*:x`
 * and `lb:y:*` have `lb:y:x` in common. Lists with so many of these that there are more than 128 get only those that a
 * list has itself, which is less than both grant.
 */
export function commonPermissions(some: readonly string[], others: readonly string[]): string[] {
  const all = new Set(some.flatMap((one) => others.flatMap((other) => commonOf(one, other) ?? [])))
  const own = new Set([...some, ...others])
  const common = all.size <= MAX_COMMON ? [...all] : [...all].filter((one) => own.has(one))
  return common.filter((one) => !common.some((other) => other !== one && coversGrant(other, one)))
}

/** Null if no permission is covered by both. */
function commonOf(one: string, other: string): string | null {
  if (one === other) return one
  if (isOperators(one) || isOperators(other)) return null
  const [parts, others] = [one.split(':'), other.split(':')]
  if (parts.length !== others.length) return null
  const common = parts.map((part, i) => (part === '*' ? others[i] : part))
  const isCommon = common.every((part, i) => others[i] === '*' || others[i] === part)
  return isCommon ? common.join(':') : null
}

/** Throws a Refusal if these permissions must not be granted to a key. */
export type MayGrant = (permissions: readonly string[]) => void

/** Whether a game's key may have a permission at all: no operator permission, and none that names another game. */
export function isGrantable(permission: string, game: string): boolean {
  if (isOperators(permission)) return false
  const [area, id] = permission.split(':')
  return area !== 'gm' || id === undefined || id === '*' || id === game
}

/** Whether it is an operator permission, which no key of a game can have. */
export const isOperators = (permission: string): boolean => permission.startsWith('sys:')

/** Divides requested permissions into granted and declined, in order; an empty request grants all held ones. */
export function grant(held: readonly string[], asked: readonly string[]): { granted: string[]; declined: string[] } {
  if (asked.length === 0) return { granted: [...held], declined: [] }
  return {
    granted: asked.filter((one) => anyCovers(held, one)),
    declined: asked.filter((one) => !anyCovers(held, one)),
  }
}

/** The granted permissions that are still held. */
export function stillHeld(granted: readonly string[], held: readonly string[]): string[] {
  return granted.filter((one) => anyCovers(held, one))
}

/** The permission of operator keys. */
export const OPERATOR_PERMISSION = 'sys:games'

interface Holder {
  /** The key's game; null: an operator key. */
  readonly game: string | null
  readonly permissions: readonly string[]
}

/**
 * Whether a key now covers what a token of `game` asks for (an exact string, no `*`). An operator key covers
 * whatever a game's token was granted, but no operator permission.
 */
export function keyCovers(key: Holder, game: string | null, asked: string): boolean {
  if (game !== null && isOperators(asked)) return false
  return key.game === game ? anyCovers(key.permissions, asked) : isOperatorOf(key, game)
}

/** Those of a token's permissions that its key still has, as `keyCovers`. */
export function heldOf(key: Holder, game: string | null, granted: readonly string[]): string[] {
  if (key.game === game) return stillHeld(granted, key.permissions)
  return isOperatorOf(key, game) ? [...granted] : []
}

/** Whether a token of this game is an operator's: a key of a game has no tokens of other games. */
function isOperatorOf(key: Holder, game: string | null): boolean {
  return key.game === null && game !== null && key.permissions.includes(OPERATOR_PERMISSION)
}

/** The permissions of a new key if the request names none. */
export function defaultPermissions(kind: 'server' | 'client', game: string): string[] {
  if (kind === 'server') return [`gm:${game}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for']
  return [
    `gm:${game}:buckets`,
    `gm:${game}:realtime`,
    `gm:${game}:boards`,
    'bkt:*:details',
    'bkt:*:files',
    'lb:*:details',
    'lb:*:scores',
    'lb:*:submit',
    'score:*:details',
  ]
}
