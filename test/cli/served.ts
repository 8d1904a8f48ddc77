// A server with its file store behind a TCP proxy. Links lead through the proxy, its address survives server restarts,
// and it can cut connections.

import { rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { readConfig } from '../../server/config.ts'
import { type Running, start } from '../../server/start.ts'
import { type CommandResult, command, type Env, newFolder } from './service.ts'

/** Bytes that a connection carried since the last request began: to the server (up) and from it (down). */
export interface Carried {
  up: number
  down: number
  /** The request line and the headers of the last request. */
  line: string
  head: string
}

/** Nothing passes any more; the client waits until the connection is cut. */
export const HELD = 'held'

export interface Served {
  readonly url: string
  readonly dataDir: string
  readonly env: Env
  /** The server's own address, not the proxy's. */
  readonly adminUrl: string
  /** Called for each chunk. True cuts the connection on both sides before the chunk passes. */
  cuts: (carried: Carried) => boolean | typeof HELD
  /** Each cuts one held connection. */
  readonly held: (() => void)[]
  /** Number of connections cut. */
  readonly cut: Carried[]
  run(...args: string[]): Promise<CommandResult>
  json<Shape>(...args: string[]): Promise<Shape>
  stop(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

const LISTEN = '127.0.0.1'

/** `now`: the server's clock, in Unix milliseconds. */
export async function openServed(settings: Env = {}, now: () => number = Date.now): Promise<Served> {
  const dataDir = await newFolder()
  let running: Running | null = null
  const sockets = new Set<Socket>()
  const cut: Carried[] = []
  const held: (() => void)[] = []
  const proxy = createServer((caller) => {
    const port = running?.port ?? null
    if (port === null) return caller.destroy()
    const server = connect(port, LISTEN)
    const carried: Carried = { up: 0, down: 0, line: '', head: '' }
    const both = [caller, server]
    const end = () => {
      for (const socket of both) socket.destroy()
    }
    const carry = (from: Socket, to: Socket, direction: 'up' | 'down') => {
      from.on('data', (chunk: Buffer) => {
        if (direction === 'up' && /^[A-Z]+ \//.test(chunk.toString('latin1', 0, 20))) {
          carried.up = 0
          carried.down = 0
          carried.line = chunk.toString('latin1', 0, chunk.indexOf('\r\n'))
          carried.head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n'))
        }
        carried[direction] += chunk.length
        const fate = served.cuts(carried)
        if (fate !== false) cut.push(carried)
        if (fate === true) return end()
        if (fate === HELD) {
          from.pause()
          held.push(end)
          return
        }
        if (!to.write(chunk)) from.pause()
      })
      to.on('drain', () => from.resume())
      from.on('end', () => to.end())
      from.on('error', end)
      from.on('close', () => sockets.delete(from))
      sockets.add(from)
    }
    carry(caller, server, 'up')
    carry(server, caller, 'down')
  })
  await new Promise<void>((resolve) => proxy.listen(0, LISTEN, resolve))
  const { port } = proxy.address() as AddressInfo
  const url = `http://${LISTEN}:${port}`
  const own = { RATE_LIMITS: 'off', ...settings, DATA_DIR: dataDir, PUBLIC_URL: url }
  const config = readConfig({ ...own, PORT: '0', ADMIN_PORT: '0' })
  const begin = async () => {
    running = await start(config, pino({ level: 'silent' }), now)
  }
  const stop = async () => {
    const was = running
    running = null
    await was?.stop()
  }
  await begin()
  const env = { ...own, PORT: String(port) }
  const run = (...args: string[]) => command(env, ...args)
  const served: Served = {
    url,
    dataDir,
    env,
    get adminUrl() {
      return `http://${LISTEN}:${running?.adminPort}`
    },
    cuts: () => false,
    cut,
    held,
    run,
    json: async <Shape>(...args: string[]) => {
      const result = await run(...args, '--json')
      if (result.code !== 0) throw new Error(`${args.join(' ')} exited ${result.code}: ${result.err}`)
      return result.json<Shape>()
    },
    stop,
    restart: async () => {
      await stop()
      await begin()
    },
    close: async () => {
      await stop()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return served
}
