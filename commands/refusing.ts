// Refuses commands before they are decided, single ones and those of command groups.

import type { Refusal } from '../domain/decider.ts'
import { Failed } from '../runtime/all-of.ts'
import type { About } from './command-batch.ts'
import type { Handlers } from './handle.ts'

/** `refusalOf` returns null for a command that may be decided. */
export function refusing(inner: Handlers, refusalOf: (about: About) => Refusal | null): Handlers {
  return {
    handle: (aggregate, about, context, decision) => {
      const refusal = refusalOf(about)
      return refusal === null ? inner.handle(aggregate, about, context, decision) : Promise.reject(refusal)
    },
    async handleGroup(commands, slices) {
      const refusals = commands.map(({ about }) => refusalOf(about))
      const decided = commands.filter((_, nth) => refusals[nth] === null)
      const settled = await inner.handleGroup(decided, slices)
      const outcomes = settled.values()
      return refusals.map((refusal) =>
        refusal === null ? (outcomes.next().value as (typeof settled)[number]) : new Failed(refusal),
      )
    },
  }
}
