// Dependencies of the routes.

import type { RenewDeps } from '../../access/renew.ts'
import type { Statuses } from '../../access/statuses.ts'
import type { WaitForProjection } from '../../commands/command-context.ts'
import type { CommandDeps, FileCommandDeps, NodeCommandDeps } from '../../commands/command-deps.ts'
import type { ConsoleLinkDeps } from '../../commands/console-link.ts'
import type { HandshakeDeps } from '../../commands/handshake.ts'
import type { SignInDeps } from '../../commands/sign-in/sign-in-deps.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { EventsDeps } from '../../queries/events.ts'
import type { Overviews } from '../../queries/overview/overview.ts'
import type { PastBoards } from '../../queries/past/boards.ts'
import type { Previews } from '../../queries/previews.ts'
import type { ListScores } from '../../queries/scores/list.ts'
import type { ReadQueue } from '../../queries/work-queue.ts'
import type { Rooms } from '../../stores/contract/rooms.ts'
import type { Transient } from '../../stores/contract/transient.ts'
import { tokenIn } from '../pipeline/headers.ts'
import type { Call } from '../route.ts'
import type { Followers } from './followers.ts'
import type { Status, VerifyRouteDeps } from './system-shapes.ts'

/** All dependencies; each group of routes picks those it uses. */
export interface RouteDeps {
  readonly commands: CommandDeps & Pick<NodeCommandDeps, 'handler'>
  readonly fileCommands: FileCommandDeps
  readonly handshake: HandshakeDeps
  readonly queries: QueryDeps
  readonly statuses: Statuses
  readonly signIn: SignInDeps
  readonly renewing: RenewDeps
  readonly waitForProjection: WaitForProjection
  /** Checks again whether a token is valid and has a permission. Throws Refusal as for a new call. */
  mayStill(token: string, permission: string): Promise<boolean>
  readonly rooms: RoomRouteDeps
  readonly consoleLinks: ConsoleLinkDeps
  status(): Promise<Status>
  readonly events: EventRouteDeps
  readonly verifying: VerifyRouteDeps
  /** The queue of reads that take more than a few milliseconds. */
  readonly reads: ReadQueue
  readonly listScores: ListScores
  readonly past: PastBoards
  readonly previews: Previews
  readonly overviews: Overviews
  /** Rebuilds of views. A rebuild of a leaderboard is a command instead. */
  readonly buildOrders: ViewsRouteDeps
  readonly backup: BackupRouteDeps
}

interface BackupRequest {
  readonly from: string | null
  /** Null: the lines have no authentication codes, as commands of 0.2.0 read them. */
  readonly coded: {
    readonly after: {
      readonly last: string
      readonly events: number
      readonly chain: string
      readonly code: string
    } | null
  } | null
}

/** Lines of a backup, page by page; null if the stores are not all in the data folder. */
export type BackupRouteDeps =
  | ((request: BackupRequest, ending: AbortSignal) => AsyncIterable<readonly unknown[]>)
  | null

interface RoomRouteDeps {
  readonly transient: Transient
  readonly store: Pick<Rooms, 'listWhole'>
  /** Whether unused tickets are limited per network address. */
  readonly countsNetworks: boolean
  readonly url: string
  /** Authenticates rooms servers of other processes; null: none, and no route to redeem tickets. */
  readonly secret: string | null
  document(): unknown
}

/** Each method resolves to the resulting status. */
interface ViewsRouteDeps {
  status(): Promise<object>
  /** Starts a rebuild. Null: all views. Rejects with Refusal. */
  ask(views: readonly string[] | null): Promise<object>
  cancel(): Promise<object>
  back(): Promise<object>
  discard(): Promise<object>
}

export interface EventRouteDeps extends EventsDeps {
  readonly followers: Followers
  /** Aborts when this node stops. Open event streams then end. */
  readonly stopping: AbortSignal
  /** Unix milliseconds. */
  now(): number
  /** Heartbeat interval in milliseconds. Default: 15 s. */
  readonly heartbeatEveryMs?: number
}

export function accessRecheck(
  deps: Pick<RouteDeps, 'mayStill'>,
  call: Pick<Call, 'header'>,
  permission: string,
): () => Promise<boolean> {
  const token = tokenIn(call.header('authorization')) ?? ''
  return () => deps.mayStill(token, permission)
}
