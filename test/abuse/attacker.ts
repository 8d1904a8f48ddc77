// Runs one attack in its own process, so that its load delays the bystander’s measurements no more than the shared core
// must. The parent sends what to run; the answer is the number of bytes sent.

import type { AttackedGame } from './attacked-game.ts'
import { ATTACKS } from './attacks/all.ts'

export interface Order {
  readonly attack: string
  readonly port: number
  readonly attackedGame: AttackedGame
  readonly forMs: number
}

/** Each attack has its own address, so that what the server still holds against one does not slow the next. */
const addressOf = (attack: string): string => `127.0.1.${1 + ATTACKS.findIndex(({ name }) => name === attack)}`

process.on('message', async ({ attack, port, attackedGame, forMs }: Order) => {
  const end = performance.now() + forMs
  let bytes = 0
  const context = {
    ...{ port, attackedGame, address: addressOf(attack) },
    isOver: () => performance.now() >= end,
    sent: (count: number) => {
      bytes += count
    },
  }
  const found = ATTACKS.find(({ name }) => name === attack)
  await found?.run(context)
  process.send?.(bytes)
})
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})

// All modules are loaded.
process.send?.('ready')
