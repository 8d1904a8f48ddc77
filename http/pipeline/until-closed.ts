import type { ServerResponse } from 'node:http'

/** Calls `then` when the answer is sent or its connection closed; at once where it has closed. */
export function untilClosed(response: ServerResponse, then: () => void): void {
  if (response.destroyed) then()
  else response.once('close', then)
}
