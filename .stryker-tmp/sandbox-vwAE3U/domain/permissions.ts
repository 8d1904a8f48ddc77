// Permissions: strings of parts joined by ':', where a part held may be `*`. What a key holds covers what is asked when
// every part is the same or `*`.

export const PERMISSION_MAX_LENGTH = 128
export const PERMISSIONS_ASKED_MAX = 64

/** Parts of `[A-Za-z0-9_-]+` or `*`, joined by `:`. */
export const PERMISSION_GRAMMAR = /^(?:[A-Za-z0-9_-]+|\*)(?::(?:[A-Za-z0-9_-]+|\*))*$/

/**
 * Whether holding one permission allows what another one names. A `*` asked for, and what is the operator's, is covered
 * only by that very string.
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
 * Whether holding one permission is enough to give another one to a key: every part is the same or `*` in what is held.
 * Unlike `covers`, a `*` may be given too, where a `*` is held in its place.
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

/** Throws a Refusal where these permissions must not be given to a key. */
export type MayGrant = (permissions: readonly string[]) => void

/** Whether a key of a game may hold a permission at all: none of the operator's, none that names another game. */
export function isGrantable(permission: string, game: string): boolean {
  if (isOperators(permission)) return false
  const [area, id] = permission.split(':')
  return area !== 'gm' || id === undefined || id === '*' || id === game
}

/** Whether a permission is the operator's: one that a game's key never has, whatever it was given. */
export const isOperators = (permission: string): boolean => permission.startsWith('sys:')

/** What a token gets of what was asked for: nothing asked means everything held. Both lists keep their order. */
export function grant(held: readonly string[], asked: readonly string[]): { granted: string[]; declined: string[] } {
  if (asked.length === 0) return { granted: [...held], declined: [] }
  return {
    granted: asked.filter((one) => anyCovers(held, one)),
    declined: asked.filter((one) => !anyCovers(held, one)),
  }
}

/** What was granted once, less what is held no longer. */
export function stillHeld(granted: readonly string[], held: readonly string[]): string[] {
  return granted.filter((one) => anyCovers(held, one))
}

/** What a key holds when nothing else was said. */
export function defaultPermissions(kind: 'server' | 'client', game: string): string[] {
  if (kind === 'server') return [`gm:${game}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for']
  return [
    `gm:${game}:buckets`,
    `gm:${game}:realtime`,
    'bkt:*:details',
    'bkt:*:files',
    'lb:*:details',
    'lb:*:scores',
    'lb:*:submit',
    'score:*:details',
  ]
}
