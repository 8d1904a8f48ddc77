// The rooms against plain Socket.IO in the same run: messages in rooms of ten, one in flight per member; memory of many
// connections; and many joins to one room.

import { io, type Socket } from 'socket.io-client'
import { freshServer } from './support/fresh-server.ts'
import { cpuSecondsOf, inTurn, median, ratioOf, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { residentBytes } from './support/memory.ts'
import { type Server, startRoomsLimit } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'
import { call, handshake } from './support/test-game.ts'

const ROOMS = 12
const ROOM_MEMBERS = 10
/** Within a connection's burst, which refills while the other side is measured. */
const MESSAGES_EACH = 60
const SOCKETS = 2_000
const JOINERS = 500
const SIDES_AT_ONCE = 50
const GOAL = 2.3

interface Side {
  readonly server: Server
  connect(): Promise<Socket>
}

export async function benchRooms(size: Size): Promise<BenchRow[]> {
  const fresh = await freshServer({ LOG_LEVEL: 'warn' })
  const limit = await startRoomsLimit()
  try {
    const { port } = fresh.server
    const token = await handshake(port, fresh.world.key)
    const at = `/api/gm/${fresh.world.game}/`
    const fixed = Array.from({ length: ROOMS }, (_, n) => `room-${n}`).concat('storm')
    const fixedRooms = fixed.map((id) => ({ id, name: id, max_members: 1_000, listed: true }))
    const realtime = { enabled: true, require_player: false, messages_per_second: 100 }
    await call(port, 'PUT', at, { token, body: { realtime, fixed_rooms: fixedRooms } })
    const ours: Side = {
      server: fresh.server,
      connect: async () => {
        const { ticket } = await call<{ ticket: string }>(port, 'POST', `${at}rt/ticket/`, { token })
        return connected(port, ticket)
      },
    }
    const stock: Side = { server: limit, connect: () => connected(limit.port, '') }
    const rows = [await messages(ours, stock, size), await storm(ours, stock), await memory(ours, stock, size)]
    return rows
  } finally {
    await Promise.all([fresh.stop(), limit.stop()])
  }
}

function connected(port: number, ticket: string): Promise<Socket> {
  const options = { query: { ticket }, transports: ['websocket'], reconnection: false, forceNew: true }
  const socket = io(`http://127.0.0.1:${port}`, options)
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', reject)
  })
}

async function many(count: number, connect: () => Promise<Socket>): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const next = Math.min(SIDES_AT_ONCE, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: next }, connect))))
  }
  return sockets
}

async function messages(ours: Side, stock: Side, size: Size): Promise<BenchRow> {
  const playing = async (side: Side) => {
    const sockets = await many(ROOMS * ROOM_MEMBERS, side.connect)
    const members: string[] = []
    for (const [n, socket] of sockets.entries()) {
      const joined = await socket.emitWithAck('join', { room: `room-${n % ROOMS}` })
      members.push(joined.member)
    }
    return { sockets, members }
  }
  const [own, theirs] = [await playing(ours), await playing(stock)]
  const perMessage = async ({ server }: Side, { sockets, members }: Awaited<ReturnType<typeof playing>>) => {
    const before = cpuSecondsOf(server.pid)
    await Promise.all(sockets.map((socket, n) => talk(socket, members[n] ?? '', `room-${n % ROOMS}`)))
    return (cpuSecondsOf(server.pid) - before) / (sockets.length * MESSAGES_EACH)
  }
  const costs = await inTurn(
    size.rounds,
    {
      ours: () => perMessage(ours, own),
      limit: () => perMessage(stock, theirs),
    },
    SERVER_WARM_UPS,
  )
  for (const socket of [...own.sockets, ...theirs.sockets]) socket.disconnect()
  const ratio = ratioOf(costs.limit, costs.ours)
  const rate = (values: readonly number[]) => `${Math.round(1 / median(values)).toLocaleString('en')}/CPU s`
  return {
    what: `room messages, ${ROOMS} rooms of ${ROOM_MEMBERS} / Socket.IO as it comes`,
    limit: rate(costs.limit),
    ours: rate(costs.ours),
    ratio: `${ratio.toFixed(2)} ×`,
    goal: `≥ ${GOAL} ×`,
    met: ratio >= GOAL,
  }
}

/** Sends messages sequentially, each after the previous one has been received in the room's order. */
function talk(socket: Socket, member: string, room: string): Promise<void> {
  return new Promise((resolve) => {
    let sent = 0
    const send = () => socket.emit('send', { room, data: { n: sent++, x: 12.5, y: -3.25, action: 'move' } })
    const heard = ({ from }: { from: string }) => {
      if (from !== member) return
      if (sent < MESSAGES_EACH) {
        send()
        return
      }
      socket.off('message', heard)
      resolve()
    }
    socket.on('message', heard)
    send()
  })
}

async function storm(ours: Side, stock: Side): Promise<BenchRow> {
  const joining = async ({ server, connect }: Side) => {
    const sockets = await many(JOINERS, connect)
    const before = cpuSecondsOf(server.pid)
    let informed = 0
    const all = (JOINERS * (JOINERS - 1)) / 2
    const heard = new Promise<void>((resolve) => {
      for (const socket of sockets) {
        socket.on('member_joined', () => {
          if (++informed === all) resolve()
        })
      }
    })
    await Promise.all(sockets.map((socket) => socket.emitWithAck('join', { room: 'storm' })))
    await heard
    const spent = cpuSecondsOf(server.pid) - before
    for (const socket of sockets) socket.disconnect()
    return spent
  }
  const [theirs, own] = [await joining(stock), await joining(ours)]
  return {
    what: `${JOINERS} join one room, each told of all / Socket.IO as it comes, without the list of members`,
    limit: `${theirs.toFixed(2)} CPU s`,
    ours: `${own.toFixed(2)} CPU s`,
    ratio: `${(theirs / own).toFixed(2)} ×`,
    goal: '≥ 1 ×',
    met: own <= theirs,
  }
}

async function memory(ours: Side, stock: Side, { quick }: Size): Promise<BenchRow> {
  const count = quick ? SOCKETS / 4 : SOCKETS
  const perSocket = async ({ server, connect }: Side) => {
    const before = residentBytes(server.pid)
    const sockets = await many(count, connect)
    const grown = residentBytes(server.pid) - before
    for (const socket of sockets) socket.disconnect()
    return grown / count
  }
  const [theirs, own] = [await perSocket(stock), await perSocket(ours)]
  const kib = (bytes: number) => `${(bytes / 1_024).toFixed(1)} KiB each`
  return {
    what: `memory of ${count.toLocaleString('en')} connections / Socket.IO as it comes`,
    limit: kib(theirs),
    ours: kib(own),
    ratio: `${(own / theirs).toFixed(2)} ×`,
    goal: '≤ 2 ×',
    met: own <= 2 * theirs,
  }
}
