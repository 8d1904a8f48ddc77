// Refuses commands before they are decided, single ones and those of groups.

import type { Refusal } from '../domain/decider.ts'
import type { About } from './command-batch.ts'
import type { Handler, Handlers } from './handle.ts'

/** `refusalOf` returns null for a command that may be decided. */
export function refusing(inner: Handlers, refusalOf: (about: About) => Refusal | null): Handlers {
  const checked =
    (handler: Handler): Handler['handle'] =>
    (aggregate, about, context, decision) => {
      const refusal = refusalOf(about)
      return refusal === null ? handler.handle(aggregate, about, context, decision) : Promise.reject(refusal)
    }
  return {
    handle: checked(inner),
    together: () => {
      const group = inner.together()
      return { handle: checked(group), send: () => group.send() }
    },
  }
}
