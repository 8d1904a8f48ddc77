// What signing in works with, beside what every command does.

import type { Passwords } from '../../credentials/passwords.ts'
import type { Tokens } from '../../credentials/tokens.ts'
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
  /** Null where this installation sends none. */
  readonly mail: Mail | null
}

export interface TakeOverDeps extends CommandDeps {
  /**
   * A player's sessions of which no end is recorded, as far as the views have come: the oldest first, at most so many.
   */
  openSessions(player: string, nowMs: number, most?: number): Promise<readonly OpenSession[]>
  readonly seen: WaitForProjection
}

export interface OpenSession {
  readonly id: string
  /** When it began (ISO 8601, UTC). */
  readonly started: string
  /** How often the player had been signed out everywhere by then. */
  readonly signOuts: number
}

/** A player who has proven who they are. */
export interface Proven<State> {
  readonly id: string
  readonly state: State
  /** Whether this very call made them. */
  readonly made: boolean
  /**
   * Asked once their session has begun: whether the proof still stands. Absent: it does for
   * as long as the player is there.
   */
  stillStands?(): Promise<boolean>
}
