// Whether the caller may call the route: `tenant_only` first, then the permission, filled from the path.

import { Refusal } from '../../domain/decider.ts'
import type { Caller, Needs, Route } from '../route.ts'

/** Means every game in a permission. */
const ANY = '*'

type Params = Readonly<Record<string, string>>
/** A path that names no game is about something of the caller's own. */
type Fill = (params: Params, own: string) => string

/** Throws 403 `tenant_only` or 403 `permission_needed` with `needed`. */
export type CheckPermission = (call: {
  readonly state: { readonly caller: Caller | null }
  readonly params: Params
}) => void

export function permissionCheck(route: Pick<Route, 'tenantOnly' | 'needs'>): CheckPermission {
  const { fill, or } = fillings(route.needs)
  return ({ state: { caller }, params }) => {
    if (caller === null) return
    if (route.tenantOnly && caller.kind !== 'server') {
      throw new Refusal('forbidden', 'tenant_only', 'Only the tenant’s own server may call this, with a server key.')
    }
    if (fill === null) return
    const own = caller.game ?? ''
    const holds = (filled: Fill) => caller.may(filled(params, own))
    if (holds(fill) || (or !== null && holds(or))) return
    // A caller of no game gets the permission of any game named: without one, the text would be no permission at all.
    const needed = fill(params, caller.game ?? ANY)
    throw new Refusal('forbidden', 'permission_needed', `This needs the permission ${needed}.`, { needed })
  }
}

function fillings(needs: Needs): { fill: Fill | null; or: Fill | null } {
  if (typeof needs === 'string') return { fill: null, or: null }
  return { fill: filling(needs.permission), or: needs.or === undefined ? null : filling(needs.or) }
}

/** `lb:{leaderboard}:scores` with the part of the path put in. */
function filling(template: string): Fill {
  const pieces = template.split(/\{(\w+)\}/)
  return (params, own) => {
    const partAt = (name: string) => (name === 'game' && params.game === undefined ? own : asPart(params[name] ?? ''))
    let text = pieces[0] ?? ''
    for (let at = 1; at < pieces.length; at += 2) text += partAt(pieces[at] ?? '') + pieces[at + 1]
    return text
  }
}

/** What is no id stays one part and is nobody's: a colon or `*` in a path must not read as a permission of its own. */
function asPart(value: string): string {
  return /^[A-Za-z0-9_-]+$/.test(value) ? value : encodeURIComponent(value).replaceAll('*', '%2A')
}
