// What the routes of history work with.

import type { EventsDeps } from '../../queries/events.ts'
import type { Followers } from './followers.ts'

export interface EventRouteDeps extends EventsDeps {
  readonly followers: Followers
  /** Aborts when this node stops: followers end. */
  readonly stopping: AbortSignal
  /** Unix milliseconds. */
  now(): number
  /** In place of 15 s. */
  readonly heartbeatEveryMs?: number
}
