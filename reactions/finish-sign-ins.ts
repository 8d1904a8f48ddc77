// Completes sign-ins whose request failed halfway: claims on logins and addresses, and the effects of taking over a
// player or signing them out.

import { type CommandContext, withoutIdempotencyKey } from '../commands/command-context.ts'
import { finishExternalClaim } from '../commands/player.ts'
import { endAll } from '../commands/session.ts'
import { currentClaim, destroyUnlinked, linksBy } from '../commands/sign-in/claims.ts'
import { finishEmail } from '../commands/sign-in/code.ts'
import { finishRegistration } from '../commands/sign-in/register.ts'
import type { TakeOverDeps } from '../commands/sign-in/sign-in-deps.ts'
import { finishTakeOver } from '../commands/sign-in/take-over.ts'
import { Refusal } from '../domain/decider.ts'
import { unsafeCast } from '../domain/event.ts'
import type { EmailConfirmedData } from '../domain/links.ts'
import type { LoginClaimedData } from '../domain/login.ts'
import type { ExternalClaimedData, PlayerSignedOutData } from '../domain/player.ts'
import { isSignedOut } from '../domain/session.ts'
import { idsIn } from '../domain/streams.ts'
import { asTheCall, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForAge, waitForViews } from './wait.ts'

/** `now` returns Unix milliseconds. */
export function finishSignIns(deps: TakeOverDeps, now: () => number): Reaction {
  return {
    name: 'finish_sign_ins',
    takes: ['LoginClaimed', 'PlayerEmailConfirmed', 'PlayerSignedOut'],
    async react(event, signal) {
      const { data, meta, type } = event
      if (!(await waitForAge(event, now, signal))) return
      const game = meta.game ?? ''
      const context = asTheCall(meta, now())
      const [, digest] = idsIn(event.stream)
      if (type === 'LoginClaimed') return finishLoginClaim(deps, game, digest, unsafeCast(data), context)
      // The sessions to end are read from a view, which must contain all that began before.
      if (!(await waitForViews(deps, { game, position: event.position }, signal))) return
      const player = meta.player ?? ''
      if (type === 'PlayerSignedOut') {
        return finishSignOut(deps, game, player, unsafeCast<PlayerSignedOutData>(data), withoutIdempotencyKey(context))
      }
      await finishTakeOver(deps, { game, player, confirmed: unsafeCast<EmailConfirmedData>(data) }, meta.time, context)
    },
  }
}

/** Records the end of the sessions that a sign-out ended: all that started with a lower sign-out count. */
async function finishSignOut(
  deps: TakeOverDeps,
  game: string,
  player: string,
  { times }: PlayerSignedOutData,
  context: CommandContext,
): Promise<void> {
  const open = await deps.openSessions(player, context.nowMs)
  const sessions = open.filter((session) => isSignedOut(session, times)).map(({ id }) => id)
  await endAll(deps, { game, player, sessions }, context)
}

async function finishLoginClaim(
  deps: TakeOverDeps,
  game: string,
  digest: string,
  claim: LoginClaimedData,
  context: CommandContext,
): Promise<void> {
  const { player, secret } = claim
  // A released claim needs no finishing, but the node that released it may have died before it destroyed the secrets.
  const holder = await currentClaim(deps, claim.kind, game, digest)
  if (holder?.secret !== secret) return destroyUnlinked(deps, secret, await linksBy(deps, player, secret))
  try {
    if (claim.kind === 'login') await finishRegistration(deps, { game, digest, claim }, null, context)
    // An address given at registration is finished with its login. A claim by a code has a name unless the player was
    // deleted.
    else if (claim.name !== null) await finishEmail(deps, { game, digest, claim }, context)
  } catch (error) {
    // The player is banned, deleted or registered otherwise by now. The claim was released or stays.
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
  }
}

/** Creates the player for a claimed external id if the request that claimed it failed before doing so. */
export function finishClaims({ commands, now }: Pick<ReactionDeps, 'commands' | 'now'>): Reaction {
  return {
    name: 'finish_claims',
    takes: ['ExternalClaimed'],
    async react(event, signal) {
      const { data, meta } = event
      if (!(await waitForAge(event, now, signal))) return
      await finishExternalClaim(
        commands,
        meta.game ?? '',
        unsafeCast<ExternalClaimedData>(data),
        asTheCall(meta, now()),
      )
    },
  }
}
