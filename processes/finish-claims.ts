// Makes the player that an external id was claimed for, where the call that claimed it did not come to an end.

import type { CommandDeps } from '../commands/deps.ts'
import { finishClaim } from '../commands/player.ts'
import { shaped } from '../domain/event.ts'
import type { ExternalClaimedData } from '../domain/player.ts'
import { itsTimeIsOver } from './grace.ts'
import { asTheCall } from './intent.ts'
import type { Process } from './process.ts'

/** `now` is Unix milliseconds. */
export function finishClaims(deps: CommandDeps, now: () => number): Process {
  return {
    name: 'finish_claims',
    takes: ['ExternalClaimed'],
    async react({ data, meta }, signal) {
      if (!(await itsTimeIsOver(meta, now(), signal))) return
      await finishClaim(deps, meta.game ?? '', shaped<ExternalClaimedData>(data), asTheCall(meta))
    },
  }
}
