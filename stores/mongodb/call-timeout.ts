// A timeout for each driver call. The driver can leave a call unsettled for ever: a call sent just as the server's
// end of the connection arrives waits for a closed socket (seen with 7.9, on every restart of a server under load).
// The timeout is longer than any wait of the driver itself.

import { MongoNetworkError } from 'mongodb'
import { withTimeout } from '../../runtime/with-timeout.ts'

/** The same call, but rejected with a network error if it never settles. Its outcome is unknown then. */
export type CallTimeout = <Answer>(call: Promise<Answer>) => Promise<Answer>

/** Timeout for one answer. It can end a retry by the driver early. */
const WAITS = 1.5

export function createCallTimeout(answerMs: number): CallTimeout {
  const longestMs = WAITS * answerMs
  const late = () => new MongoNetworkError(`a call was not settled within ${longestMs} ms`)
  return (call) => withTimeout(longestMs, call, late)
}
