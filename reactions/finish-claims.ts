// Creates the player for a claimed external id if the request that claimed it failed before doing so.

import { finishExternalClaim } from '../commands/player.ts'
import { unsafeCast } from '../domain/event.ts'
import type { ExternalClaimedData } from '../domain/player.ts'
import { asTheCall } from './own-context.ts'
import type { Reaction, ReactionDeps } from './reaction.ts'
import { waitForAge } from './wait.ts'

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
