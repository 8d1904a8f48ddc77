// Password hashing with Argon2id at OWASP's minimum parameters (19 MiB, 2 passes, 1 lane), a few at a time. Each takes
// tens of milliseconds of a thread that the log's syncs also need, so the queue is bounded; when it is full, the
// network with the most waiting calls is refused first.

import { hash, parseOptions, verify } from '@node-rs/argon2'
import { FairQueue } from '../runtime/fair-queue.ts'

export interface PasswordParameters {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

export const PASSWORD_PARAMETERS: PasswordParameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Of Node's four worker threads, two stay free for file syncs. */
export const PASSWORDS_AT_ONCE = 2
export const PASSWORDS_WAITING = 256

/** The queue is full; nothing was done. */
export class PasswordsBusy extends Error {
  constructor() {
    super('Too many passwords are being checked at once')
    this.name = 'PasswordsBusy'
  }
}

export interface Passwords {
  /** A hash in PHC string format. `network`: the caller's, for fair queueing. Rejects with PasswordsBusy. */
  hash(password: string, network: string): Promise<string>
  /**
   * `fits`: whether the password matches the hash. `isStale`: whether the hash has other parameters than new ones.
   * Without a hash it takes equally long and never fits. Rejects with PasswordsBusy.
   */
  verify(
    hashed: string | null,
    password: string,
    network: string,
  ): Promise<{ readonly fits: boolean; readonly isStale: boolean }>
}

export function createPasswords(parameters = PASSWORD_PARAMETERS, maxWaiting = PASSWORDS_WAITING): Passwords {
  // The library's default algorithm is Argon2id.
  const options = { ...parameters }
  const queue = new FairQueue({ running: [PASSWORDS_AT_ONCE], waiting: [maxWaiting] }, () => new PasswordsBusy())
  /** The hash that is checked for unknown logins. */
  let decoyHash: Promise<string> | null = null

  const isStale = (hashed: string): boolean => {
    const made = parseOptions(hashed)
    const { memoryCost, timeCost, parallelism } = parameters
    return made.memoryCost !== memoryCost || made.timeCost !== timeCost || made.parallelism !== parallelism
  }

  return {
    hash: (password, network) => queue.run([network], () => hash(password, options)),
    verify: async (hashed, password, network) => {
      if (hashed !== null) {
        const fits = await queue.run([network], () => verify(hashed, password))
        return { fits, isStale: isStale(hashed) }
      }
      decoyHash ??= hash('nobody', options)
      const decoy = await decoyHash.catch((error: unknown) => {
        decoyHash = null
        throw error
      })
      await queue.run([network], () => verify(decoy, password))
      return { fits: false, isStale: false }
    },
  }
}
