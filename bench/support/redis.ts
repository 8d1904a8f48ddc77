// Runs a redis-server on a socket in a temporary folder, with a minimal client.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

type Reply = string | number | null | readonly Reply[]

export interface BenchRedis {
  /** Sends commands in one write and returns their replies. Rejects on an error reply. */
  run(commands: readonly (readonly string[])[]): Promise<Reply[]>
  readonly pid: number
  stop(): Promise<void>
}

const START_TRIES = 200

/** Starts a server; null if redis-server is not installed. */
export async function startRedis(): Promise<BenchRedis | null> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-bench-'))
  const path = join(folder, 'redis.sock')
  const server = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder], {
    stdio: 'ignore',
  })
  const socket = await reach(server, path)
  if (socket === null || server.pid === undefined) {
    socket?.destroy()
    server.kill()
    await rm(folder, { recursive: true })
    return null
  }
  return {
    run: speaker(socket),
    pid: server.pid,
    stop: async () => {
      socket.destroy()
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

async function reach(server: ChildProcess, path: string): Promise<Socket | null> {
  let missing = false
  server.once('error', () => {
    missing = true
  })
  for (let tries = 0; tries < START_TRIES && !missing; tries++) {
    const socket = await new Promise<Socket | null>((resolve) => {
      const attempt = connect(path, () => resolve(attempt))
      attempt.once('error', () => resolve(null))
    })
    if (socket !== null) return socket
    await wait(20)
  }
  return null
}

/** One request at a time; callers await each before the next. */
function speaker(socket: Socket): BenchRedis['run'] {
  return (commands) =>
    new Promise((resolve, reject) => {
      const replies: Reply[] = []
      let received: Buffer = Buffer.alloc(0)
      const settle = (act: () => void) => {
        socket.off('data', take).off('error', fail)
        act()
      }
      const fail = (error: Error) => settle(() => reject(error))
      const take = (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        try {
          received = received.subarray(readReplies(received, replies, commands.length))
        } catch (error) {
          settle(() => reject(error))
        }
        if (replies.length === commands.length) settle(() => resolve(replies))
      }
      socket.on('data', take).on('error', fail)
      socket.write(commands.map(written).join(''), 'latin1')
    })
}

function written(command: readonly string[]): string {
  return `*${command.length}\r\n${command.map((part) => `$${part.length}\r\n${part}\r\n`).join('')}`
}

/** Parses complete replies into the list; returns the number of bytes used. */
function readReplies(bytes: Buffer, into: Reply[], wanted: number): number {
  let at = 0
  while (into.length < wanted) {
    const read = readReply(bytes, at)
    if (read === null) break
    into.push(read.reply)
    at = read.end
  }
  return at
}

/** The reply at an offset and its end; null while it is incomplete. */
function readReply(bytes: Buffer, at: number): { reply: Reply; end: number } | null {
  const line = bytes.indexOf('\r\n', at)
  if (line < 0) return null
  const text = bytes.toString('latin1', at + 1, line)
  const kind = String.fromCharCode(bytes[at] ?? 0)
  if (kind === '-') throw new Error(text)
  if (kind === '+') return { reply: text, end: line + 2 }
  const number = Number(text)
  if (kind === ':') return { reply: number, end: line + 2 }
  if (number < 0) return { reply: null, end: line + 2 }
  if (kind === '$') {
    const end = line + 2 + number
    return bytes.length < end + 2 ? null : { reply: bytes.toString('latin1', line + 2, end), end: end + 2 }
  }
  const items: Reply[] = []
  let end = line + 2
  while (items.length < number) {
    const item = readReply(bytes, end)
    if (item === null) return null
    items.push(item.reply)
    end = item.end
  }
  return { reply: items, end }
}
