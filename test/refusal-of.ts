// The refusal that a command or a decision throws.

import { Refusal } from '../domain/decider.ts'

/** Rejects if `work` is not refused, with its own error if it fails otherwise. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  )
  if (error instanceof Refusal) return error
  throw error
}

/** The code of a refusal, else what happened instead. */
export const refusalCodeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )

/** Null if `decide` refuses nothing. Throws any other error. */
export function refusalIn(decide: () => unknown): Refusal | null {
  try {
    decide()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
