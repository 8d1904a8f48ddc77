// Hashes passwords, a limited number at a time.

import { PasswordsBusy } from '../../credentials/passwords.ts'
import { signInBusy } from './lock-out.ts'
import type { SignInDeps } from './sign-in-deps.ts'

/** 503 `sign_in_busy` if too many wait. `network` is the caller's. */
export async function passwordHash({ passwords }: SignInDeps, password: string, network: string): Promise<string> {
  return passwords.hash(password, network).catch(orBusy)
}

/** Maps PasswordsBusy to 503 `sign_in_busy`; rethrows other errors. */
export function orBusy(error: unknown): never {
  throw error instanceof PasswordsBusy ? signInBusy() : error
}
