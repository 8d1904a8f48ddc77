// Reads the operator key file of a data folder, and returns the error of a call that must fail.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProblemError } from '../../../clients/javascript/problem.ts'
import type { ApiKey } from '../../../clients/javascript/signing.ts'

export async function operatorKey(dataDir: string): Promise<ApiKey> {
  return JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
}

/** Throws if the call succeeds, or fails without a problem document. */
export async function failureOf(call: Promise<unknown>): Promise<ProblemError> {
  const failure = await call.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (failure instanceof ProblemError) return failure
  throw failure
}
