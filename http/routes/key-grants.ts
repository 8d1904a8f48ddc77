// Decides which permissions a caller may grant to a key of a game: only those that a key of the game can have and that
// the caller has too. The operator may grant any permission of the game.

import { Refusal } from '../../domain/decider.ts'
import { coversGrant, isGrantable, isOperators, type MayGrant } from '../../domain/permissions.ts'
import { findGames } from '../../queries/game.ts'
import type { Caller } from '../route.ts'
import type { RouteDeps } from './deps.ts'

/** The form of game ids. */
const ID = /^[a-z2-7]{24}$/

/**
 * Throws 422 `permission_not_grantable`, or else 403 `permission_needed` with the first permission that the caller's
 * token does not cover. O(granted permissions × permissions of the token).
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
 * For a repeated call, whose answer contains the secret again: 403 `permission_needed` for a token that could not have
 * made the first call. A token that could keeps this right, even if its key has lost permissions since.
 */
export function checkRepeatedGrant(caller: Pick<Caller, 'may' | 'issuedWith'>, granted: readonly string[]): void {
  checkCovered(caller, caller.issuedWith, granted)
}

function checkCovered(caller: Pick<Caller, 'may'>, held: readonly string[], granted: readonly string[]): void {
  if (caller.may('sys:games')) return
  const needed = granted.find((permission) => !held.some((one) => coversGrant(one, permission)))
  if (needed === undefined) return
  const detail = `To grant ${needed} to a key, your token needs a permission that covers it. Leave it out, or use a key that has it.`
  throw new Refusal('forbidden', 'permission_needed', detail, { needed })
}

/** The ids of other games in the permissions. Reads documents once. */
export async function otherGamesIn(
  { queries }: Pick<RouteDeps, 'queries'>,
  permissions: readonly string[],
  game: string,
): Promise<ReadonlySet<string>> {
  const parts = new Set(permissions.flatMap((permission) => permission.split(':')))
  const requested = [...parts].filter((part) => part !== game && ID.test(part))
  if (requested.length === 0) return new Set()
  const found = await findGames(queries, requested)
  return new Set(requested.filter((_, index) => found[index] !== null))
}

function notGrantable(permission: string): Refusal {
  const reason = isOperators(permission) ? 'only the operator has it' : 'it names another game'
  const detail = `No key of this game can have ${permission}: ${reason}. Leave it out.`
  return new Refusal('unprocessable', 'permission_not_grantable', detail)
}
