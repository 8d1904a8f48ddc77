// Makes the player that an external id was claimed for, where the call that claimed it did not come to an end.

import { setTimeout } from 'node:timers/promises'
import type { CommandDeps } from '../commands/deps.ts'
import { finishClaim } from '../commands/player.ts'
import { shaped } from '../domain/event.ts'
import type { ExternalClaimedData } from '../domain/player.ts'
import type { Process } from './process.ts'

/** How long the claiming call has to finish by itself. */
const GRACE_MS = 5_000

export function finishClaims(deps: CommandDeps): Process {
  return {
    name: 'finish_claims',
    takes: ['ExternalClaimed'],
    async react({ data, meta }, signal) {
      await pause(Date.parse(meta.time) + GRACE_MS - Date.now(), signal)
      if (signal.aborted) return
      // The claiming call's own ids: whichever of the two comes second finds the other's events and adds nothing.
      const intent = {
        command: meta.command,
        call: meta.call ?? null,
        repeated: false,
        actor: meta.actor,
        request: meta.request,
        nowMs: Date.parse(meta.time),
        mint: { id: never, secret: never },
      }
      await finishClaim(deps, meta.game ?? '', shaped<ExternalClaimedData>(data), intent)
    },
  }
}

function never(): never {
  throw new Error('finishing a claim makes no ids')
}

/** Ends after the time or with the signal, whichever comes first. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await setTimeout(ms, undefined, { signal }).catch(() => {})
}
