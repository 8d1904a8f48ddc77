// Results of which each may be a Refusal, such as those of a list whose elements are refused one by one.

import { Refusal } from './decider.ts'

/** What `work` returns, or the Refusal that it throws. */
export function orRefusal<Result>(work: () => Result): Result | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

export const withoutRefusals = <One>(all: readonly (One | Refusal)[]): One[] =>
  all.filter((one): one is One => !(one instanceof Refusal))
