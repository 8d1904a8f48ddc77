// Runs a store's contract for an adapter: each check becomes a test. The same checks run against a store that does
// nothing, where each must fail, so that no check can pass by accident.

/** One promise of a store, as a sentence and the asynchronous check of it; `make` opens a fresh, empty store. */
export interface Check<T> {
  readonly name: string
  run(make: () => Promise<T>): Promise<void>
}

/** Declares a suite in which every check must hold for the stores that `make` opens. */
export function testContract<T>(title: string, checks: readonly Check<T>[], make: () => Promise<T>): void {
  describe(title, () => {
    for (const check of checks) it(check.name, () => check.run(make))
  })
}

/** Declares a suite in which every check must fail for the do-nothing stores that `makeNothing` opens. */
export function failsOnNothing<T>(title: string, checks: readonly Check<T>[], makeNothing: () => Promise<T>): void {
  describe(title, () => {
    for (const check of checks) {
      it(`fails for a store that does nothing: ${check.name}`, async () => {
        if (await holds(check, makeNothing)) throw new Error(`"${check.name}" holds for a store that does nothing`)
      })
    }
  })
}

async function holds<T>(check: Check<T>, make: () => Promise<T>): Promise<boolean> {
  try {
    await check.run(make)
    return true
  } catch {
    return false
  }
}
