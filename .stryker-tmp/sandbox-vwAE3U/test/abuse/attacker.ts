// Runs one attack in a process of its own, so that its load does not delay the bystander's measurements more than the
// shared core must. The parent sends what to run; the answer is how many bytes were sent.

import { ATTACKS } from './attacks/all.ts'
import type { Scene } from './scene.ts'

export interface Order {
  readonly attack: string
  readonly port: number
  readonly scene: Scene
  readonly forMs: number
}

/** Each attack has an address of its own, so that what the server still holds against one does not slow the next. */
const addressOf = (attack: string): string => `127.0.1.${1 + ATTACKS.findIndex(({ name }) => name === attack)}`

process.on('message', async ({ attack, port, scene, forMs }: Order) => {
  const end = performance.now() + forMs
  let bytes = 0
  const context = {
    ...{ port, scene, address: addressOf(attack) },
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
