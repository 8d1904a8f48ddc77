// Clients that harm: one who does not read, one who floods, thousands who knock without a ticket, frames that no client
// would send. Nobody else may notice.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { percentile } from '../../bench/support/measure.ts'
import { pause } from '../until.ts'
import type { Flooded } from './flood.ts'
import { nonsense } from './nonsense.ts'
import { openParty, type Party, type Visitor } from './party.ts'
import type { RoomsNodes } from './rooms-nodes.ts'

const UNTIL_MS = 60_000
const FLOODER = fileURLToPath(new URL('flood.ts', import.meta.url))

export interface HostileProof {
  /** Milliseconds that others waited for their messages, 99 of 100, before and while it went on. */
  readonly p99: { readonly before: number; readonly while: number }
  /** Milliseconds from its beginning until it was cut. */
  readonly cutMs: number
}

/** What others take to hear themselves, in a room of their own on the same node and with the harmful one in another. */
async function p99Of(speakers: readonly Visitor[], room: string, forMs: number, isOver = () => false): Promise<number> {
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
): Promise<{ party: Party; enter(): Promise<Visitor>; speakers: Visitor[]; room: string }> {
  const limits = { require_player: false, messages_per_second: 100, max_message_bytes: 65_536 }
  const party = await openParty(nodes.world, limits)
  const enter = () => party.enter({ token: party.client, port: nodes.nodes[0].port })
  const speakers = await Promise.all(Array.from({ length: 4 }, enter))
  const room: string = (await (speakers[0] as Visitor).ask('create', { name: 'Others' })).room.id
  for (const one of speakers.slice(1)) await one.ask('join', { room })
  return { party, enter, speakers, room }
}

/** A client in a busy room reads nothing. */
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

/** One sends as much as it can, from a process of its own. */
export async function proveFlooder(
  nodes: RoomsNodes,
  forMs: number,
): Promise<HostileProof & { readonly refused: boolean }> {
  const { party, speakers, room } = await scene(nodes)
  const before = await p99Of(speakers, room, forMs)
  const env = {
    ...process.env,
    FLOOD_PORT: String(nodes.nodes[0].port),
    FLOOD_TICKET: await party.ticket(party.client),
    FLOOD_MOST_MS: String(UNTIL_MS),
  }
  const flooder = fork(FLOODER, { execArgv: ['--import', 'tsx'], env })
  try {
    await once(flooder, 'message')
    let flooded: Flooded | null = null
    flooder.once('message', (told) => {
      flooded = told as Flooded
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
  /** HTTP status -> how many handshakes were answered so. */
  readonly answers: Readonly<Record<string, number>>
  readonly grownBytes: number
}

/** Handshakes without a ticket, or with ones that were never given. */
export async function proveKnocks(
  { nodes: [{ port, pid }] }: RoomsNodes,
  count: number,
  tickets = false,
): Promise<KnocksProof> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const answers: Record<string, number> = {}
  const knock = (n: number) =>
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
  // What the first of them load stays.
  for (let n = 0; n < 200; n++) await knock(n)
  const before = residentBytes(pid)
  for (let n = 0; n < count; n += 100) await Promise.all(Array.from({ length: 100 }, (_, m) => knock(n + m)))
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
  let [visitor, closed] = [await enter(), 0]
  for (let sent = 0; sent < frames; sent++) {
    if (!visitor.socket.connected) {
      closed++
      visitor = await enter()
    }
    const { transport } = visitor.socket.io.engine
    const frame = next()
    if ('ws' in transport) {
      ;(transport.ws as { send(data: string | Buffer): void }).send(sent % 17 === 0 ? Buffer.from(frame) : frame)
    }
    visitor.told.length = 0
    if (sent % 50 === 0) await pause(1)
  }
  for (const speaker of speakers) {
    const answer = await speaker.ask('send', { room, data: 'still here' })
    if (!answer.ok) throw new Error(`a bystander was answered ${answer.code}`)
  }
  for (const { socket } of [...speakers, visitor]) socket.disconnect()
  return { closed }
}

/** The kernel takes what it can; then it is the server's to hold. */
export function stopReading({ socket }: Visitor): void {
  const { transport } = socket.io.engine
  if (!('ws' in transport)) throw new Error('this is no WebSocket')
  ;(transport.ws as { pause(): void }).pause()
}

function residentBytes(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return Number(kib) * 1_024
}
