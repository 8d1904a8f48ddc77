// What stands in for Argon2 in simulated histories, where every step is the scheduler's: a hash names its parameters, as a
// real one does, and shows the password.

import type { Passwords } from '../../../credentials/passwords.ts'

/** `parameters` are those of the node: hashes made with others are stale there. */
export function createPasswordStandIn(parameters: number): Passwords {
  const made = `${parameters}$`
  return {
    hash: async (password) => made + password,
    verify: async (hashed, password) => ({
      fits: hashed !== null && hashed.slice(hashed.indexOf('$') + 1) === password,
      isStale: hashed !== null && !hashed.startsWith(made),
    }),
  }
}
