// Deletes vault secrets of a claim on a login or an address that was never recorded because its request failed in
// between: otherwise a password hash or an address would stay with no player to erase it for.

import { setTimeout } from 'node:timers/promises'
import { destroySecrets } from '../commands/sign-in/claims.ts'
import { type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { LoginBegunData } from '../domain/login.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import type { Reaction, ReactionDeps } from './reaction.ts'
import { waitForAge } from './wait.ts'

/**
 * Far longer than a request can last, with all its retries and with the machine suspended meanwhile: a claim recorded
 * after this would have no password.
 */
export const UNCLAIMED_KEPT_MS = 24 * 60 * 60_000

export function sweepSecrets({ commands, now }: Pick<ReactionDeps, 'commands' | 'now'>): Reaction {
  return {
    name: 'sweep_secrets',
    takes: ['LoginBegun'],
    async react(event, signal) {
      if (!(await waitForAge(event, now, signal, UNCLAIMED_KEPT_MS))) return
      const { secret } = unsafeCast<LoginBegunData>(event.data)
      for await (const later of eventsFrom(commands.log, event.stream, event.revision + 1)) {
        if (names(later, secret)) return
      }
      // After a long freeze another node may own the partition and have swept, and the repeated call may have claimed.
      // Let due timers run first: one of them aborts the signal.
      await setTimeout(0)
      if (!signal.aborted) await destroySecrets(commands, secret)
    },
  }
}

/** A claim is released with its player; if the call was repeated since, the repeat is awaited on its own. */
const names = ({ type, data }: StoredEvent, secret: string): boolean =>
  (type === 'LoginClaimed' || type === 'LoginBegun') && data.secret === secret
