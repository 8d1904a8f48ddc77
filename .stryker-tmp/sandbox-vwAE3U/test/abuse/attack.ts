// What an attack is: one client at one address that tries to make the server hold or compute as much as it can.

import type { Scene } from './scene.ts'

export interface AttackContext {
  readonly port: number
  readonly scene: Scene
  /** The loopback address the attack comes from. */
  readonly address: string
  isOver(): boolean
  /** Counts bytes that were written. */
  sent(bytes: number): void
}

export interface Attack {
  readonly name: string
  /** Runs until `isOver`; what the server refuses or cuts is no failure. */
  run(context: AttackContext): Promise<void>
}
