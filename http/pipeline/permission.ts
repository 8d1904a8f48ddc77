// Checks whether the caller may call the route: first `tenant_only` and `operator_token`, then the permission,
// filled in from the path.

import { Refusal } from '../../domain/decider.ts'
import type { Caller, Needs, Route } from '../route.ts'

/** Means every game in a permission. */
const ANY = '*'

type Params = Readonly<Record<string, string>>
/** `own`: the caller's game, for paths without a game. */
type Fill = (params: Params, own: string) => string

/**
 * Throws 403 `tenant_only`, `operator_token`, or `permission_needed` with `needed`, which has the path as it was sent:
 * `params` have the id of a leaderboard in place of its key.
 */
export type CheckPermission = (call: {
  readonly state: { readonly caller: Caller | null; readonly match: { readonly params: Params } }
  readonly params: Params
}) => void

export function permissionCheck(route: Pick<Route, 'tenantOnly' | 'refusesOperatorTokens' | 'needs'>): CheckPermission {
  const { fill, or } = fillings(route.needs)
  return ({ state: { caller, match }, params }) => {
    if (caller === null) return
    if (route.tenantOnly && caller.kind !== 'server') {
      throw new Refusal('forbidden', 'tenant_only', 'Only the tenant’s server may call this, with a server key.')
    }
    if (route.refusesOperatorTokens === true && caller.isOperatorInGame) throw operatorToken()
    if (fill === null) return
    const own = caller.game ?? ''
    const holds = (filled: Fill) => caller.may(filled(params, own))
    if (holds(fill) || (or !== null && holds(or))) return
    // For a caller without a game, the text names the permission for any game.
    const needed = fill(match.params, caller.game ?? ANY)
    throw permissionNeeded(needed)
  }
}

export const permissionNeeded = (needed: string): Refusal =>
  new Refusal('forbidden', 'permission_needed', `This needs the permission ${needed}.`, { needed })

function operatorToken(): Refusal {
  const detail =
    'An operator’s token of a game signs no player in and changes no keys. Use a key of the game, or for keys the operator key’s own token.'
  return new Refusal('forbidden', 'operator_token', detail)
}

function fillings(needs: Needs): { fill: Fill | null; or: Fill | null } {
  if (typeof needs === 'string') return { fill: null, or: null }
  return { fill: filling(needs.permission), or: needs.or === undefined ? null : filling(needs.or) }
}

/** `lb:{leaderboard}:scores` with the part of the path put in. */
function filling(template: string): Fill {
  const segments = template.split(/\{(\w+)\}/)
  return (params, own) => {
    const partAt = (name: string) => (name === 'game' && params.game === undefined ? own : asPart(params[name] ?? ''))
    let text = segments[0] ?? ''
    for (let at = 1; at < segments.length; at += 2) text += partAt(segments[at] ?? '') + segments[at + 1]
    return text
  }
}

/** Escapes a colon or `*` in a path, so that it cannot act as permission syntax. */
function asPart(value: string): string {
  return /^[A-Za-z0-9_-]+$/.test(value) ? value : encodeURIComponent(value).replaceAll('*', '%2A')
}
