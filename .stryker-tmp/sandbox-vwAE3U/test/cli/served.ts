// A whole server with its file store, reached through a wire of the test's own: links lead through it, it stays at one
// address while the server behind it is restarted, and it can be cut.

import { rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import { type Running, start } from '../../main.ts'
import { command, type Env, newFolder, type Said } from './service.ts'

/** What a connection carried since the last call on it began: up to the server, down from it. */
export interface Carried {
  up: number
  down: number
  /** The first line that was asked with last, and all of its headers. */
  line: string
  head: string
}

/** Nothing more passes; the other side waits until the connection is cut. */
export const HELD = 'held'

export interface Served {
  readonly url: string
  readonly dataDir: string
  readonly env: Env
  /** Of the server itself, not through the wire. */
  readonly adminUrl: string
  /** Asked at each piece that a connection carries: true cuts it on both sides before the piece passes. */
  cuts: (carried: Carried) => boolean | typeof HELD
  /** Ends the connections that are held. */
  readonly held: (() => void)[]
  /** Connections that were cut. */
  readonly cut: Carried[]
  run(...args: string[]): Promise<Said>
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
  const wire = createServer((caller) => {
    const port = running?.port ?? null
    if (port === null) return caller.destroy()
    const server = connect(port, LISTEN)
    const carried: Carried = { up: 0, down: 0, line: '', head: '' }
    const both = [caller, server]
    const end = () => {
      for (const socket of both) socket.destroy()
    }
    const carry = (from: Socket, to: Socket, way: 'up' | 'down') => {
      from.on('data', (piece: Buffer) => {
        if (way === 'up' && /^[A-Z]+ \//.test(piece.toString('latin1', 0, 20))) {
          carried.up = 0
          carried.down = 0
          carried.line = piece.toString('latin1', 0, piece.indexOf('\r\n'))
          carried.head = piece.toString('latin1', 0, piece.indexOf('\r\n\r\n'))
        }
        carried[way] += piece.length
        const fate = served.cuts(carried)
        if (fate !== false) cut.push(carried)
        if (fate === true) return end()
        if (fate === HELD) {
          from.pause()
          held.push(end)
          return
        }
        if (!to.write(piece)) from.pause()
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
  await new Promise<void>((resolve) => wire.listen(0, LISTEN, resolve))
  const { port } = wire.address() as AddressInfo
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
      const said = await run(...args, '--json')
      if (said.code !== 0) throw new Error(`${args.join(' ')} exited ${said.code}: ${said.err}`)
      return said.json<Shape>()
    },
    stop,
    restart: async () => {
      await stop()
      await begin()
    },
    close: async () => {
      await stop()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => wire.close(resolve))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return served
}
