// Aborts long work when the caller disconnects.

import type { ServerResponse } from 'node:http'
import { Refusal } from '../../domain/decider.ts'

/** Aborts when the connection closes before the answer went out. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const going = new AbortController()
  const end = () => {
    if (!response.writableFinished) going.abort(new Refusal('unavailable', 'reads_busy', 'The caller disconnected.'))
  }
  if (response.destroyed) end()
  else response.once('close', end)
  return going.signal
}
