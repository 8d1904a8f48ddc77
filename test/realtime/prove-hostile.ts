// Hostile clients: one that does not read, one that floods, thousands without a ticket, and malformed frames. Other
// clients must not notice.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { percentile } from '../../bench/support/measure.ts'
import { residentBytes } from '../../bench/support/memory.ts'
import { pause } from '../until.ts'
import type { Flooded } from './flood.ts'
import { nonsense } from './nonsense.ts'
import { openRoomsFixture, type RoomClient, type RoomsFixture } from './rooms-fixture.ts'
import type { RoomsNodes } from './rooms-nodes.ts'

const UNTIL_MS = 60_000
const FLOODER = fileURLToPath(new URL('flood.ts', import.meta.url))

export interface HostileProof {
  /** The 99th percentile of the other clients' latency in milliseconds, before and during the attack. */
  readonly p99: { readonly before: number; readonly while: number }
  /** Milliseconds from the start until it was closed. */
  readonly cutMs: number
}

/** The latency of other clients in two rooms on the same node: one of their own and one with the hostile client. */
async function p99Of(
  speakers: readonly RoomClient[],
  room: string,
  forMs: number,
  isOver = () => false,
): Promise<number> {
  const times: number[] = []
  const end = performance.now() + forMs
  await Promise.all(
    speakers.map(async (speaker) => {
      while (performance.now() < end && !isOver()) {
        const began = performance.now()
        const answer = await speaker.ask('send', { room, data: 'x'.repeat(100) })
        if (answer.ok) times.push(performance.now() - began)
        await pause(30)
      }
    }),
  )
  return percentile(times, 0.99)
}

async function scene(
  nodes: RoomsNodes,
): Promise<{ fixture: RoomsFixture; enter(): Promise<RoomClient>; speakers: RoomClient[]; room: string }> {
  const limits = { require_player: false, messages_per_second: 100, max_message_bytes: 65_536 }
  const fixture = await openRoomsFixture(nodes.world, limits)
  const enter = () => fixture.enter({ token: fixture.client, port: nodes.nodes[0].port })
  const speakers = await Promise.all(Array.from({ length: 4 }, enter))
  const room: string = (await (speakers[0] as RoomClient).ask('create', { name: 'Others' })).room.id
  for (const one of speakers.slice(1)) await one.ask('join', { room })
  return { fixture, enter, speakers, room }
}

/** A client in a busy room that reads nothing. */
export async function proveDeafReader(nodes: RoomsNodes, forMs: number): Promise<HostileProof> {
  const { enter, speakers, room } = await scene(nodes)
  const [talker, deaf] = [await enter(), await enter()]
  const loud: string = (await talker.ask('create', { name: 'Loud' })).room.id
  const data = 'x'.repeat(60_000)
  const talk = async (isOver: () => boolean) => {
    while (!isOver()) {
      await talker.ask('send', { room: loud, data })
      await pause(20)
    }
  }
  let isBefore = true
  const [before] = await Promise.all([
    p99Of(speakers, room, forMs).finally(() => {
      isBefore = false
    }),
    talk(() => !isBefore),
  ])
  await deaf.ask('join', { room: loud })
  stopReading(deaf)
  const began = performance.now()
  let cutMs = Number.POSITIVE_INFINITY
  talker.socket.on('member_left', ({ reason }) => {
    if (reason === 'slow_consumer') cutMs = Math.min(cutMs, performance.now() - began)
  })
  const isCut = () => cutMs < Number.POSITIVE_INFINITY || performance.now() - began > UNTIL_MS
  const [meanwhile] = await Promise.all([p99Of(speakers, room, UNTIL_MS, isCut), talk(isCut)])
  for (const { socket } of [...speakers, talker, deaf]) socket.disconnect()
  return { p99: { before, while: meanwhile }, cutMs: Math.round(cutMs) }
}

/** A client that sends as much as it can, from a process of its own. */
export async function proveFlooder(
  nodes: RoomsNodes,
  forMs: number,
): Promise<HostileProof & { readonly refused: boolean }> {
  const { fixture, speakers, room } = await scene(nodes)
  const before = await p99Of(speakers, room, forMs)
  const env = {
    ...process.env,
    FLOOD_PORT: String(nodes.nodes[0].port),
    FLOOD_TICKET: await fixture.ticket(fixture.client),
    FLOOD_MAX_MS: String(UNTIL_MS),
  }
  const flooder = fork(FLOODER, { execArgv: ['--import', 'tsx'], env })
  try {
    await once(flooder, 'message')
    let flooded: Flooded | null = null
    flooder.once('message', (report) => {
      flooded = report as Flooded
    })
    const ended = once(flooder, 'exit')
    const meanwhile = await p99Of(speakers, room, UNTIL_MS, () => flooded !== null || flooder.exitCode !== null)
    await ended
    const { refused, cutMs } = flooded ?? { refused: false, cutMs: null }
    for (const { socket } of speakers) socket.disconnect()
    return { p99: { before, while: meanwhile }, cutMs: cutMs ?? Number.POSITIVE_INFINITY, refused }
  } finally {
    flooder.kill()
  }
}

export interface KnocksProof {
  /** HTTP status -> number of handshakes answered with it. */
  readonly answers: Readonly<Record<string, number>>
  readonly grownBytes: number
}

/** Handshakes without a ticket, or with a ticket that was never issued. */
export async function proveKnocks(
  { nodes: [{ port, pid }] }: RoomsNodes,
  count: number,
  tickets = false,
): Promise<KnocksProof> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const answers: Record<string, number> = {}
  const requestUnknown = (n: number) =>
    new Promise<void>((resolve, reject) => {
      const ticket = !tickets ? '' : `&ticket=${'A'.repeat(42)}${n % 10}`
      const asked = request({ host: '127.0.0.1', port, agent, path: `/socket.io/?EIO=4&transport=polling${ticket}` })
      asked.once('response', (response) => {
        answers[String(response.statusCode)] = (answers[String(response.statusCode)] ?? 0) + 1
        response.resume().once('end', resolve)
      })
      asked.once('error', reject)
      asked.end()
    })
  // The first requests load code that stays in memory.
  for (let n = 0; n < 200; n++) await requestUnknown(n)
  const before = residentBytes(pid)
  for (let n = 0; n < count; n += 100) await Promise.all(Array.from({ length: 100 }, (_, m) => requestUnknown(n + m)))
  const grownBytes = residentBytes(pid) - before
  agent.destroy()
  return { answers, grownBytes }
}

/** Returns how often a client had to reconnect. */
export async function proveNonsense(
  nodes: RoomsNodes,
  frames: number,
  seed: number,
): Promise<{ readonly closed: number }> {
  const { enter, speakers, room } = await scene(nodes)
  const next = nonsense(seed)
  let [roomClient, closed] = [await enter(), 0]
  for (let sent = 0; sent < frames; sent++) {
    if (!roomClient.socket.connected) {
      closed++
      roomClient = await enter()
    }
    const { transport } = roomClient.socket.io.engine
    const frame = next()
    if ('ws' in transport) {
      ;(transport.ws as { send(data: string | Buffer): void }).send(sent % 17 === 0 ? Buffer.from(frame) : frame)
    }
    roomClient.received.length = 0
    if (sent % 50 === 0) await pause(1)
  }
  for (const speaker of speakers) {
    const answer = await speaker.ask('send', { room, data: 'still here' })
    if (!answer.ok) throw new Error(`a bystander was answered ${answer.code}`)
  }
  for (const { socket } of [...speakers, roomClient]) socket.disconnect()
  return { closed }
}

/** Once the kernel buffers are full, unsent data stays in the server. */
export function stopReading({ socket }: RoomClient): void {
  const { transport } = socket.io.engine
  if (!('ws' in transport)) throw new Error('the transport is not a WebSocket')
  ;(transport.ws as { pause(): void }).pause()
}
