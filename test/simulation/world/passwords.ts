// Replaces Argon2 in simulated histories, where every step belongs to the scheduler. A hash names its parameters, as a
// real one does, and contains the password.

import type { Passwords } from '../../../credentials/passwords.ts'

/** `parameters` are those of the node: hashes with other parameters are stale there. */
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
