// What the Redis tests share: servers and stores that are closed after each test, an operator's client, and a proxy
// that can lose answers.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createClient } from 'redis'
import { openRedis, type RedisOptions, type RedisStores } from '../../stores/redis/open.ts'
import { type RedisServer, type RedisServerOptions, startRedis } from '../servers/redis.ts'
import { pause } from '../until.ts'

export class RedisWorld {
  private readonly closing: (() => Promise<unknown>)[] = []

  async server(options: RedisServerOptions = {}): Promise<RedisServer> {
    const server = await startRedis(options)
    this.closing.push(() => server.stop())
    return server
  }

  async stores(url: string, options: Partial<RedisOptions> = {}): Promise<RedisStores> {
    const stores = await openRedis({ url, ...options })
    this.closing.push(() => stores.close())
    return stores
  }

  /** Runs one command by another client, as an operator would. */
  async command(url: string, ...words: string[]): Promise<unknown> {
    const client = createClient({ url, RESP: 2 })
    client.on('error', () => {})
    await client.connect()
    try {
      return await client.sendCommand(words)
    } finally {
      client.destroy()
    }
  }

  /** A proxy in front of the server. From `lose` on it breaks the connection instead of passing on an answer. */
  async lossy(url: string): Promise<{ readonly url: string; lose(): void; repair(): void }> {
    let isLosing = false
    const sockets = new Set<Socket>()
    const proxy = createServer((near) => {
      const far = connect(Number(new URL(url).port), '127.0.0.1')
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          near.destroy()
          far.destroy()
        })
      }
      near.pipe(far)
      far.on('data', (answer) => (isLosing ? near.destroy() : near.write(answer)))
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    this.closing.push(async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    })
    const address = proxy.address()
    if (address === null || typeof address === 'string') throw new Error('the system gave no port')
    return {
      url: `redis://127.0.0.1:${address.port}`,
      lose: () => {
        isLosing = true
      },
      repair: () => {
        isLosing = false
      },
    }
  }

  async close(): Promise<void> {
    for (const one of this.closing.splice(0).reverse()) await one()
  }
}

/** Retries while Redis is unavailable; other errors are thrown. */
export async function onceBack<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Error && error.name === 'RedisUnavailable')) throw error
      await pause(20)
    }
  }
}

/** Returns the error of a rejected promise. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it did not reject')
}
