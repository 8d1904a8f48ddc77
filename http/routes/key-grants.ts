// Which permissions a caller may give to a key of a game: none that no key of it may hold, and none beyond the caller's
// own. The operator may give any permission of the game.

import { Refusal } from '../../domain/decider.ts'
import { coversGrant, isGrantable, isOperators, type MayGrant } from '../../domain/permissions.ts'
import type { Caller } from '../route.ts'

/**
 * Throws 422 `permission_not_grantable`, before 403 `permission_needed` with the first permission that no permission of
 * the caller's token covers. O(permissions given × permissions of the token).
 */
export function grantsOf(caller: Pick<Caller, 'may' | 'permissions'>, game: string): MayGrant {
  return (granted) => {
    const impossible = granted.find((permission) => !isGrantable(permission, game))
    if (impossible !== undefined) throw notGrantable(impossible)
    if (caller.may('sys:games')) return
    const held = caller.permissions
    const needed = granted.find((permission) => !held.some((one) => coversGrant(one, permission)))
    if (needed === undefined) return
    const detail = `To give ${needed} to a key, your token needs a permission that covers it. Leave it out, or use a key that holds it.`
    throw new Refusal('forbidden', 'permission_needed', detail, { needed })
  }
}

function notGrantable(permission: string): Refusal {
  const why = isOperators(permission) ? 'only the operator holds it' : 'it names another game'
  const detail = `No key of this game can hold ${permission}: ${why}. Leave it out.`
  return new Refusal('unprocessable', 'permission_not_grantable', detail)
}
