// What an attack is: one client at one address that tries to make the server hold or compute as much as it can.

import type { AttackedGame } from './attacked-game.ts'

export interface AttackContext {
  readonly port: number
  readonly attackedGame: AttackedGame
  /** The loopback address the attack comes from. */
  readonly address: string
  isOver(): boolean
  /** Counts bytes that were written. */
  sent(bytes: number): void
}

export interface Attack {
  readonly name: string
  /** Runs until `isOver`; a refusal or cut by the server is not a failure. */
  run(context: AttackContext): Promise<void>
}
