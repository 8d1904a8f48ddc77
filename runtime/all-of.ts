// Waits for values of which most need no waiting.

import { mapInSlices, type TimeSlices } from './time-slices.ts'

/** Stands for a value whose promise has rejected, or whose command has failed. */
export class Failed {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

const failed = (error: unknown): Failed => new Failed(error)

/**
 * The values in their order, with Failed in the place of each that rejects. As `Promise.allSettled`, but makes no
 * promise for what is none. Never rejects.
 */
export async function allOf<Value>(values: readonly (Value | Promise<Value>)[]): Promise<readonly (Value | Failed)[]> {
  if (!values.some((one) => one instanceof Promise)) return values as readonly Value[]
  return Promise.all(values.map((one) => (one instanceof Promise ? one.catch(failed) : one)))
}

/** As `allOf` of what `map` makes of each, in time slices. Rejects only if `map` throws. */
export async function allOfInSlices<One, Value>(
  slices: TimeSlices,
  all: readonly One[],
  map: (one: One, nth: number) => Value | Promise<Value>,
): Promise<readonly (Value | Failed)[]> {
  const made = await mapInSlices(slices, all, (one, nth) => {
    const value = map(one, nth)
    // Before the slice ends: nothing else handles its rejection yet.
    return value instanceof Promise ? value.catch(failed) : value
  })
  return allOf(made)
}

/** The value. Throws the error of a Failed. */
export function valueOrThrow<Value>(one: Value | Failed): Value {
  if (one instanceof Failed) throw one.error
  return one
}
