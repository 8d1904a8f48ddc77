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

const ADDRESS = '127.0.0.2'

process.on('message', async ({ attack, port, scene, forMs }: Order) => {
  const end = performance.now() + forMs
  let bytes = 0
  const context = {
    ...{ port, scene, address: ADDRESS },
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
