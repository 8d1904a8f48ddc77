import type { Context } from './context.ts'

/** Calls `then` when the answer is sent or its connection closed; at once if it has closed already. */
export function untilClosed({ res, state: { whenClosed } }: Context, then: () => void): void {
  if (res.destroyed) {
    then()
    return
  }
  // One listener for all callbacks: Node warns above ten listeners.
  if (whenClosed.length === 0) {
    res.once('close', () => {
      for (const one of whenClosed) one()
    })
  }
  whenClosed.push(then)
}
