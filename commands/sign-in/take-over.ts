// Invalidates what was set before an address owner took a player over: login and password, guest token, and every other
// session that had started by then.

import type { EmailConfirmedData } from '../../domain/links.ts'
import { type CommandContext, withoutIdempotencyKey } from '../command-context.ts'
import type { PlayerRef } from '../player.ts'
import { endAll } from '../session.ts'
import { release } from './claims.ts'
import type { TakeOverDeps } from './sign-in-deps.ts'

/** Idempotent. Ends sessions that started until `until`; null: all. */
export async function finishTakeOver(
  deps: TakeOverDeps,
  { game, player, confirmed }: PlayerRef & { readonly confirmed: EmailConfirmedData },
  until: string | null,
  context: CommandContext,
): Promise<void> {
  const { takesOver, login, session: own } = confirmed
  if (!takesOver) return
  await deps.vault.destroy('guest-token', player)
  if (login !== null) {
    await deps.vault.destroy('password', login.secret)
    await deps.vault.destroy('login', login.secret)
    await deps.vault.destroy('login-addresses', login.secret)
    await release(deps, { game, player }, { kind: 'login', ...login }, context)
  }
  const open = await deps.openSessions(player, context.nowMs)
  const sessions = open
    .filter(({ id, started }) => id !== own && (until === null || started <= until))
    .map(({ id }) => id)
  await endAll(deps, { game, player, sessions }, withoutIdempotencyKey(context))
}
