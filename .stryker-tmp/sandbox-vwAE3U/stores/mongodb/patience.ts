// A timeout for each driver call. The driver can leave a call unsettled for ever: a call sent just as the server's
// end of the connection arrives waits for a closed socket (seen with 7.9, on every restart of a server under load).
// The timeout is longer than any wait of the driver itself.

import { MongoNetworkError } from 'mongodb'
import { withTimeout } from '../../scheduling/with-timeout.ts'

/** The same call, rejected as one that the network lost where it is never settled. What it did is then unknown. */
export type Patience = <Answer>(call: Promise<Answer>) => Promise<Answer>

/** Times the wait for one answer: where the driver asks a second time, it is given up in the midst of that. */
const WAITS = 1.5

export function patience(answerMs: number): Patience {
  const longestMs = WAITS * answerMs
  const late = () => new MongoNetworkError(`a call was not settled within ${longestMs} ms`)
  return (call) => withTimeout(longestMs, call, late)
}
