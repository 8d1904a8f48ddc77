// Keys as answers show them, made into what the client library takes; and the failure of a call that must fail.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProblemError } from '../../client/problem.ts'
import type { MadeKey } from '../../client/shapes.ts'
import type { ApiKey } from '../../client/signing.ts'

export function apiKeyOf({ prefix, secret, private_key: privateKey }: MadeKey): ApiKey {
  if (secret !== undefined) return { prefix, secret }
  if (privateKey !== undefined) return { prefix, privateKey }
  throw new Error(`${prefix} was shown without what it signs with`)
}

export async function operatorKey(dataDir: string): Promise<ApiKey> {
  return JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
}

/** Throws where the call succeeds, or fails otherwise than by a problem document. */
export async function failureOf(call: Promise<unknown>): Promise<ProblemError> {
  const failure = await call.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (failure instanceof ProblemError) return failure
  throw failure
}
