import type { Context } from './context.ts'

/** Calls `then` when the answer is sent or its connection closed; at once where it has closed. */
export function untilClosed({ res, state: { whenClosed } }: Context, then: () => void): void {
  if (res.destroyed) {
    then()
    return
  }
  // One listener for all: Node warns of more than ten, and a streamed answer has most of them.
  if (whenClosed.length === 0) {
    res.once('close', () => {
      for (const one of whenClosed) one()
    })
  }
  whenClosed.push(then)
}
