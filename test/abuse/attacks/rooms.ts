// Attacks on the realtime server: polling bodies in one-byte chunks, sockets that flood or do not read, endless rooms,
// seats that are taken over.

import { setTimeout as pause } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import type { Attack, AttackContext } from '../attack.ts'
import { callerFrom } from '../caller.ts'
import { flood } from './bodies.ts'
import { connections, write } from './sockets.ts'

const CHUNK = '1\r\nx\r\n'

async function ticketOf(context: AttackContext, n: number): Promise<string | null> {
  const { game, guests } = context.attackedGame
  const caller = callerFrom(context.address, context.port, 1)
  const token = guests[n % guests.length]
  const made = await caller.must('POST', `/api/gm/${game}/rt/ticket/`, { token }).catch(() => null)
  caller.close()
  return made?.ticket ?? null
}

/** A connected socket of the n-th guest, or null if it is refused. */
async function enter(context: AttackContext, n: number): Promise<Socket | null> {
  const ticket = await ticketOf(context, n)
  if (ticket === null) return null
  const from = { localAddress: context.address }
  const options = { query: { ticket }, reconnection: false, transports: ['websocket'], forceNew: true, ...from }
  const socket = io(`http://127.0.0.1:${context.port}`, options)
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', () => resolve(null))
  })
}

/** `count` sockets, each driven repeatedly until the attack is over. */
const sockets = (name: string, count: number, drive: (socket: Socket, n: number, step: number) => void): Attack => ({
  name,
  run: async (context) => {
    const lane = async (n: number) => {
      while (!context.isOver()) {
        const socket = await enter(context, n)
        for (let step = 0; socket?.connected === true && !context.isOver(); step++) {
          drive(socket, n, step)
          context.sent(100)
          await pause(2)
        }
        socket?.disconnect()
        await pause(50)
      }
    }
    await Promise.all(Array.from({ length: count }, (_, n) => lane(n)))
  },
})

/** How long a socket waits for the answer to a join: longer than the server lets it wait. */
const ANSWER_MS = 8_000
/** How long a silent socket stays in its seat unless another one takes it over. */
const SILENT_MS = 10_000

/**
 * Sockets of the same players in full rooms of one seat: each that gets the seat stops reading, so that the next one
 * takes it over.
 */
async function takeSeatsOver(context: AttackContext, players: number, socketsEach: number): Promise<void> {
  /** The room of each player. */
  const rooms = new Map<number, string>()
  const ask = async (socket: Socket, event: string, body: object) => {
    context.sent(100)
    return socket.timeout(ANSWER_MS).emitWithAck(event, body)
  }
  const turn = async (socket: Socket, player: number) => {
    const room = rooms.get(player)
    if (room === undefined) {
      const made = await ask(socket, 'create', { name: `Contended ${player}`, max_members: 1 })
      if (made.ok) rooms.set(player, made.room.id)
      return made.ok
    }
    const joined = await ask(socket, 'join', { room })
    if (joined.code === 'room_not_found') rooms.delete(player)
    return joined.ok
  }
  const lane = async (n: number) => {
    while (!context.isOver()) {
      const socket = await enter(context, n % players)
      while (socket?.connected === true && !context.isOver()) {
        const hasSeat = await turn(socket, n % players).catch(() => false)
        if (hasSeat) {
          stopReading(socket)
          await pause(SILENT_MS)
          break
        }
        await pause(20)
      }
      socket?.disconnect()
      await pause(50)
    }
  }
  const all = Promise.all(Array.from({ length: players * socketsEach }, (_, n) => lane(n)))
  while (!context.isOver()) await pause(50)
  void all.catch(() => {})
}

/** Without reading, a client answers no ping. */
function stopReading(socket: Socket): void {
  const { ws } = socket.io.engine.transport as unknown as { readonly ws: { pause(): void } }
  ws.pause()
}

export const ROOM_ATTACKS: readonly Attack[] = [
  {
    name: 'polling bodies in one-byte chunks, 50 connections',
    run: (context) =>
      connections(context, 50, {
        reads: true,
        drive: async (socket, n) => {
          const ticket = await ticketOf(context, n)
          const caller = callerFrom(context.address, context.port, 1)
          const query = 'EIO=4&transport=polling'
          const opened = await caller.call('GET', `/socket.io/?${query}&ticket=${ticket}`).catch(() => null)
          caller.close()
          const sid = /"sid":"([^"]+)"/.exec(opened?.text ?? '')?.[1] ?? 'none'
          const path = `/socket.io/?${query}&sid=${sid}`
          const head = 'Host: 127.0.0.1\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n'
          if (!(await write(context, socket, `POST ${path} HTTP/1.1\r\n${head}`))) return
          const some = CHUNK.repeat(4_096)
          for (let n = 0; n < 15; n++) if (!(await write(context, socket, some))) return
          while (await write(context, socket, CHUNK)) await pause(1_000)
        },
      }),
  },
  {
    name: 'polling handshakes without a ticket',
    run: (context) =>
      flood(context, 64, (caller) => caller.call('GET', '/socket.io/?EIO=4&transport=polling&ticket=none')),
  },
  {
    name: 'room tickets without end',
    run: (context) =>
      flood(context, 32, (caller, n) =>
        caller.call('POST', `/api/gm/${context.attackedGame.game}/rt/ticket/`, {
          token: context.attackedGame.guests[n % context.attackedGame.guests.length],
        }),
      ),
  },
  sockets('rooms created without end, 20 sockets', 20, (socket, _n, step) =>
    socket.emit('create', { name: `Room ${step}` }),
  ),
  {
    name: 'seats taken over in a loop, 60 sockets of 10 players',
    run: (context) => takeSeatsOver(context, 10, 6),
  },
  sockets('rooms searched, 50 sockets', 50, (socket, _n, step) =>
    socket.emit('rooms', { search: `${step % 10}`, limit: 100 }),
  ),
  sockets('messages over the rate, 50 sockets', 50, (socket, _n, step) => {
    if (step === 0) socket.emit('join', { room: 'lobby' })
    socket.emit('send', { room: 'lobby', data: 'x'.repeat(4_000) })
  }),
]
