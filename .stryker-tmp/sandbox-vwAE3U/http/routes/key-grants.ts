// Which permissions a caller may give to a key of a game: none that no key of it may hold, and none beyond the caller's
// own. The operator may give any permission of the game.

import { Refusal } from '../../domain/decider.ts'
import { coversGrant, isGrantable, isOperators, type MayGrant } from '../../domain/permissions.ts'
import { findGames } from '../../queries/game.ts'
import type { Caller } from '../route.ts'
import type { RouteDeps } from './deps.ts'

/** Only a text of this form can be the id of a game. */
const ID = /^[a-z2-7]{24}$/

/**
 * Throws 422 `permission_not_grantable`, before 403 `permission_needed` with the first permission that no permission of
 * the caller's token covers. O(permissions given × permissions of the token).
 */
export function grantsOf(
  caller: Pick<Caller, 'may' | 'permissions'>,
  game: string,
  otherGames: ReadonlySet<string>,
): MayGrant {
  return (granted) => {
    const namesOther = (permission: string) => permission.split(':').some((part) => otherGames.has(part))
    const impossible = granted.find((permission) => !isGrantable(permission, game) || namesOther(permission))
    if (impossible !== undefined) throw notGrantable(impossible)
    checkCovered(caller, caller.permissions, granted)
  }
}

/**
 * For a repeated call, whose answer shows the secret once more: 403 `permission_needed` for a token that could not have made the
 * first call. A token that made it stays able to, whatever its key holds by now.
 */
export function checkRepeatedGrant(caller: Pick<Caller, 'may' | 'issuedWith'>, granted: readonly string[]): void {
  checkCovered(caller, caller.issuedWith, granted)
}

function checkCovered(caller: Pick<Caller, 'may'>, held: readonly string[], granted: readonly string[]): void {
  if (caller.may('sys:games')) return
  const needed = granted.find((permission) => !held.some((one) => coversGrant(one, permission)))
  if (needed === undefined) return
  const detail = `To give ${needed} to a key, your token needs a permission that covers it. Leave it out, or use a key that holds it.`
  throw new Refusal('forbidden', 'permission_needed', detail, { needed })
}

/** Parts of the permissions that are ids of games other than this one. One read of documents. */
export async function otherGamesIn(
  { queries }: Pick<RouteDeps, 'queries'>,
  permissions: readonly string[],
  game: string,
): Promise<ReadonlySet<string>> {
  const parts = new Set(permissions.flatMap((permission) => permission.split(':')))
  const asked = [...parts].filter((part) => part !== game && ID.test(part))
  if (asked.length === 0) return new Set()
  const found = await findGames(queries, asked)
  return new Set(asked.filter((_, index) => found[index] !== null))
}

function notGrantable(permission: string): Refusal {
  const why = isOperators(permission) ? 'only the operator holds it' : 'it names another game'
  const detail = `No key of this game can hold ${permission}: ${why}. Leave it out.`
  return new Refusal('unprocessable', 'permission_not_grantable', detail)
}
