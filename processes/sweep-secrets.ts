// Takes out of the vault what was kept for a claim on a login or an address that was never recorded, as its call died between
// the two: a password's hash and an address that nobody could ever be asked to forget.

import { setTimeout } from 'node:timers/promises'
import { destroySecrets } from '../commands/sign-in/claims.ts'
import { type StoredEvent, shaped } from '../domain/event.ts'
import type { LoginBegunData } from '../domain/login.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import type { Process } from './process.ts'
import type { ProcessDeps } from './process-deps.ts'
import { untilOld } from './wait.ts'

/**
 * Far longer than a call lasts, with all that it sends again and on a machine that was put to sleep under it: a claim that came
 * after this would stand without its password.
 */
export const UNCLAIMED_KEPT_MS = 24 * 60 * 60_000

export function sweepSecrets({ commands, now }: Pick<ProcessDeps, 'commands' | 'now'>): Process {
  return {
    name: 'sweep_secrets',
    takes: ['LoginBegun'],
    async react(event, signal) {
      if (!(await untilOld(event, now, signal, UNCLAIMED_KEPT_MS))) return
      const { secret } = shaped<LoginBegunData>(event.data)
      for await (const later of eventsFrom(commands.log, event.stream, event.revision + 1)) {
        if (names(later, secret)) return
      }
      // A node that was frozen here for long holds the partition no more, and hears of it by a timer that is due:
      // its new owner has swept since, and the call may have been repeated and claimed.
      await setTimeout(0)
      if (!signal.aborted) await destroySecrets(commands, secret)
    },
  }
}

/** A claim is released with its player; if the call was repeated since, the repeat is awaited on its own. */
const names = ({ type, data }: StoredEvent, secret: string): boolean =>
  (type === 'LoginClaimed' || type === 'LoginBegun') && data.secret === secret
