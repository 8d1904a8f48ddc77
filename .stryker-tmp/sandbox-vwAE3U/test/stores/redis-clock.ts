// The clock of a Redis server, which its leases use: reading it and waiting for it. Also runs commands as an operator
// would.

import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from 'redis'

export interface RedisClock {
  /** Whole milliseconds. */
  now(): Promise<number>
  pass(ms: number): Promise<void>
  command(...words: string[]): Promise<unknown>
  close(): void
}

export async function redisClock(url: string): Promise<RedisClock> {
  const client = createClient({ url, RESP: 2 })
  client.on('error', () => {})
  await client.connect()
  const now = async () => {
    const [seconds, micros] = await client.sendCommand<[string, string]>(['TIME'])
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000)
  }
  return {
    now,
    async pass(ms) {
      const until = (await now()) + ms
      for (let left = ms; left > 0; left = until - (await now())) await wait(left)
    },
    command: (...words) => client.sendCommand(words),
    close: () => client.destroy(),
  }
}
