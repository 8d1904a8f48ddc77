// Passwords: Argon2id at OWASP's least parameters for it (19 MiB, 2 passes, 1 lane), a few at a time. Each takes tens
// of milliseconds of a thread that the log's syncs also need, so more than wait already are turned away: those first
// whose network has the most waiting.

import { hash, parseOptions, verify } from '@node-rs/argon2'
import { FairQueue } from '../scheduling/fair-queue.ts'

export interface PasswordParameters {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

export const PASSWORD_PARAMETERS: PasswordParameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Node has four threads for such work, and for syncing files: two stay free. */
export const PASSWORDS_AT_ONCE = 2
export const PASSWORDS_WAITING = 256

/** Too many wait already; nothing was done. */
export class PasswordsBusy extends Error {
  constructor() {
    super('Too many passwords are being checked at once')
    this.name = 'PasswordsBusy'
  }
}

export interface Passwords {
  /**
   * In PHC string format, with its salt and parameters. `network` is where the call comes
   * from. Rejects with PasswordsBusy.
   */
  hash(password: string, network: string): Promise<string>
  /**
   * Whether the password is the one hashed, and whether the hash was made with other parameters than new ones are.
   * Without a hash it takes as long and fits nothing. Rejects with PasswordsBusy.
   */
  verify(
    hashed: string | null,
    password: string,
    network: string,
  ): Promise<{ readonly fits: boolean; readonly isStale: boolean }>
}

export function createPasswords(parameters = PASSWORD_PARAMETERS, maxWaiting = PASSWORDS_WAITING): Passwords {
  // Argon2id is what it makes unless told otherwise.
  const options = { ...parameters }
  const queue = new FairQueue({ running: [PASSWORDS_AT_ONCE], waiting: [maxWaiting] }, () => new PasswordsBusy())
  /** What nobody's password is checked against. */
  let nobodys: Promise<string> | null = null

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
      nobodys ??= hash('nobody', options)
      const decoy = await nobodys.catch((why: unknown) => {
        nobodys = null
        throw why
      })
      await queue.run([network], () => verify(decoy, password))
      return { fits: false, isStale: false }
    },
  }
}
