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

/** What the rebuilding of views is asked of: node/rebuilds.ts. Each answers how it stands then. */
export interface ViewsRouteDeps {
  status(): Promise<object>
  /** Null: all. Rejects with Refusal. */
  ask(views: readonly string[] | null): Promise<object>
  cancel(): Promise<object>
  back(): Promise<object>
  letGo(): Promise<object>
}
