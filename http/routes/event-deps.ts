// Dependencies of the event history routes.

import type { EventsDeps } from '../../queries/events.ts'
import type { Followers } from './followers.ts'

export interface EventRouteDeps extends EventsDeps {
  readonly followers: Followers
  /** Aborts when this node stops. Open event streams then end. */
  readonly stopping: AbortSignal
  /** Unix milliseconds. */
  now(): number
  /** Heartbeat interval in milliseconds. Default: 15 s. */
  readonly heartbeatEveryMs?: number
}
