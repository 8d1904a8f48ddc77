// The dependencies of sign-in, in addition to those of all commands.

import type { Passwords } from '../../credentials/passwords.ts'
import type { Tokens } from '../../credentials/tokens.ts'
import type { Player } from '../../domain/player.ts'
import type { AddressLimits } from '../../runtime/rate-limits.ts'
import type { Mail } from '../../stores/contract/mail.ts'
import type { Transient, Windows } from '../../stores/contract/transient.ts'
import type { WaitForProjection } from '../command-context.ts'
import type { CommandDeps } from '../command-deps.ts'
import type { LockOut } from './lock-out.ts'

export interface SignInDeps extends TakeOverDeps {
  readonly transient: Transient
  readonly windows: Windows
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly lockOut: LockOut
  /** Whether mails and wrong codes are counted by network address. */
  readonly countsNetworks: boolean
  readonly addressLimits: Pick<AddressLimits, 'mail_address'>
  /** A player by the views; null if they have none, or the player is deleted. */
  playerInViews(id: string): Promise<Player | null>
  /** Null if this installation sends no mail. */
  readonly mail: Mail | null
}

export interface TakeOverDeps extends CommandDeps {
  /** A player's open sessions by the views, oldest first, at most `max`. */
  openSessions(player: string, nowMs: number, max?: number): Promise<readonly OpenSession[]>
  readonly waitForProjection: WaitForProjection
}

export interface OpenSession {
  readonly id: string
  /** When it began (ISO 8601, UTC). */
  readonly started: string
  /** The player's number of sign-outs everywhere when it began. */
  readonly signOuts: number
}

/** A player who has proven who they are. */
export interface Proven<State> {
  readonly id: string
  readonly state: State
  /** Whether this call created the player. */
  readonly made: boolean
  /**
   * Called after the session has started: whether the proof is still valid. Absent: valid unless the player is deleted.
   */
  isStillValid?(): Promise<boolean>
}
