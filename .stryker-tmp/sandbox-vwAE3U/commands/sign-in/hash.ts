// Hashing a password, of which only so many are hashed at once.

import { PasswordsBusy } from '../../credentials/passwords.ts'
import { signInBusy } from './lock-out.ts'
import type { SignInDeps } from './sign-in-deps.ts'

/** 503 `sign_in_busy` where too many wait. `network` is the caller's. */
export async function passwordHash({ passwords }: SignInDeps, password: string, network: string): Promise<string> {
  return passwords.hash(password, network).catch(orBusy)
}

/** For whatever waits in the same queue. */
export function orBusy(why: unknown): never {
  throw why instanceof PasswordsBusy ? signInBusy() : why
}
