// What routes work with: the commands' and the queries' dependencies, and the way to know that a write has been seen.

import type { RenewDeps } from '../../access/renew.ts'
import type { Statuses } from '../../access/statuses.ts'
import type { CommandDeps, FileCommandDeps } from '../../commands/command-deps.ts'
import type { HandshakeDeps } from '../../commands/handshake.ts'
import type { Seen } from '../../commands/intent.ts'
import type { SignInDeps } from '../../commands/sign-in/sign-in-deps.ts'
import { Refusal } from '../../domain/decider.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { findGame } from '../../queries/game.ts'
import { type Board, findBoard } from '../../queries/leaderboard.ts'
import type { PastBoards } from '../../queries/past/boards.ts'
import type { Previews } from '../../queries/previews.ts'
import type { ReadQueue } from '../../queries/work-queue.ts'
import type { Transient } from '../../stores/contract/transient.ts'
import type { Caller } from '../route.ts'
import type { EventRouteDeps } from './event-deps.ts'
import type { VerifyRouteDeps } from './verify-shapes.ts'
import type { ViewsRouteDeps } from './views-deps.ts'

/** All of them, as a node composes them; each area of routes names those that it takes. */
export interface RouteDeps {
  readonly commands: CommandDeps
  readonly fileCommands: FileCommandDeps
  readonly handshake: HandshakeDeps
  readonly queries: QueryDeps
  readonly statuses: Statuses
  readonly signIn: SignInDeps
  readonly renewing: RenewDeps
  readonly seen: Seen
  /** Whether a token that was good still is, and carries a permission now. Throws Refusal as for a new call. */
  mayStill(token: string, permission: string): Promise<boolean>
  readonly rooms: RoomRouteDeps
  readonly events: EventRouteDeps
  readonly verifying: VerifyRouteDeps
  /** Reads that cost more than a few milliseconds run in it. */
  readonly reads: ReadQueue
  /** Boards as they stood. */
  readonly past: PastBoards
  /** How boards would stand under other rules. */
  readonly previews: Previews
  /** Of whole views; a board's next generation is asked for by a command. */
  readonly buildOrders: ViewsRouteDeps
}

export interface RoomRouteDeps {
  readonly transient: Transient
  /** Whether tickets that wait to be used are counted by network address. */
  readonly countsNetworks: boolean
  /** Where clients connect to the rooms. */
  readonly url: string
  /** What rooms that run apart prove themselves by; null: there are none, and no way to redeem over HTTP. */
  readonly secret: string | null
  /** The AsyncAPI document of the rooms. */
  document(): unknown
}

/** The game in the path, which must be the caller's own. Else 404. */
export async function ownGame(deps: Pick<RouteDeps, 'queries'>, caller: Caller, id: string) {
  return existing(caller.game === id ? await findGame(deps.queries, id) : null)
}

/** The game in the path, which must be the caller's own, or any for the operator. Else 404. */
export async function anyGame(deps: Pick<RouteDeps, 'queries'>, caller: Caller, id: string) {
  return existing(caller.game === id || caller.game === null ? await findGame(deps.queries, id) : null)
}

function existing<Found>(found: Found | null): Found {
  if (found === null) throw new Refusal('not_found', 'game_not_found', 'There is no such game.')
  return found
}

/**
 * The leaderboard in the path, which must be of the caller's game. Else 404; an archived
 * one too, but for a repeated call.
 */
export async function ownBoard(
  deps: Pick<RouteDeps, 'queries'>,
  caller: Caller,
  id: string,
  repeated = false,
): Promise<Board> {
  const found = await findBoard(deps.queries, id, repeated)
  if (found === null || found.game !== caller.game) {
    throw new Refusal('not_found', 'leaderboard_not_found', 'There is no such leaderboard.')
  }
  return found
}
