// Each room has one order over two nodes, also while nodes are stopped and Redis fails.

import { pause } from '../until.ts'
import { untilBack } from './prove-seats.ts'
import { openRoomsFixture, type RoomClient, type RoomsFixture } from './rooms-fixture.ts'
import type { RoomsNodes } from './rooms-nodes.ts'

const ROOM = 'order'
const PAUSE_MS = 20

/** All clients must be back and receive messages within this time. */
const BACK_WITHIN_MS = 60_000

export interface OrderProof {
  readonly acknowledged: number
  readonly members: number
  /** Number of closed connections. */
  readonly cuts: number
  readonly gaps: number
  /** The distinct reasons. */
  readonly cutBy: readonly string[]
  /** Fault -> milliseconds until all clients received something new. */
  readonly recovered: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/** A fault, and the time that it may take. */
export type Fault = readonly [name: string, cause: () => Promise<unknown>]

export async function proveOrder(
  two: RoomsNodes,
  wanted: { readonly senders: number; readonly each: number; readonly faults?: readonly Fault[] },
): Promise<OrderProof> {
  const { world, nodes } = two
  const fixed = [{ id: ROOM, name: 'Order', max_members: 100, listed: true }]
  const fixture = await openRoomsFixture(world, { messages_per_second: 100 })
  await fixture.set({}, { fixed_rooms: fixed })
  const portOf = (n: number) => () => nodes[n % 2 === 0 ? 0 : 1].port
  const testCallers = await Promise.all(
    Array.from({ length: 2 * wanted.senders }, (_, n) => comes({ fixture, room: ROOM, port: portOf(n) })),
  )
  const acknowledged = new Map<number, unknown>()
  const faults: string[] = []
  let isOver = false
  const speak = async (testCaller: TestCaller, sender: number) => {
    for (let number = 0; number < wanted.each || !isOver; ) {
      const data = { sender, number }
      const seq = await testCaller.say(data)
      if (seq === null) {
        await pause(PAUSE_MS)
        continue
      }
      if (acknowledged.has(seq)) faults.push(`${seq} was given twice`)
      acknowledged.set(seq, data)
      number++
      // Beyond the count they only send to check that messages still arrive.
      if (number > wanted.each) await pause(PAUSE_MS)
    }
  }
  const speaking = Promise.all(testCallers.slice(0, wanted.senders).map(speak))
  const recovered: Record<string, number> = {}
  for (const [name, cause] of wanted.faults ?? []) {
    await cause()
    const began = performance.now()
    const heard = testCallers.map(({ last }) => last)
    const hearsAgain = () => testCallers.every(({ isIn, last }, n) => isIn && last > (heard[n] ?? 0))
    while (!hearsAgain() && performance.now() - began < BACK_WITHIN_MS) {
      await pause(PAUSE_MS)
    }
    recovered[name] = Math.round(performance.now() - began)
    if (!hearsAgain()) faults.push(`${name}: not everybody came back within ${BACK_WITHIN_MS} ms`)
  }
  isOver = true
  await speaking
  const end = Math.max(...acknowledged.keys())
  const deadline = performance.now() + BACK_WITHIN_MS
  while (testCallers.some(({ last }) => last < end) && performance.now() < deadline) {
    await pause(PAUSE_MS)
  }
  for (const [n, { last }] of testCallers.entries())
    if (last < end) faults.push(`the ${n}th heard to ${last} of ${end}`)
  await Promise.all(testCallers.map((testCaller) => testCaller.leave()))
  await untilBack(two, fixture)
  return {
    acknowledged: acknowledged.size,
    members: testCallers.length,
    cuts: testCallers.reduce((sum, { cuts }) => sum + cuts.length, 0),
    gaps: testCallers.reduce((sum, { gaps }) => sum + gaps.length, 0),
    cutBy: [...new Set(testCallers.flatMap(({ cuts }) => cuts))],
    recovered,
    faults: [...faults, ...disagreements(testCallers, acknowledged)],
  }
}

const AGAIN_AFTER_MS = 200
const ANSWERED_WITHIN_MS = 5_000

export interface TestCaller {
  /** `seq` -> sender and data, as JSON. */
  readonly seen: ReadonlyMap<number, string>
  /** Announced gaps: its last seq, and the room's last seq. */
  readonly gaps: readonly (readonly [number, number])[]
  /** One line for each violation. */
  readonly faults: readonly string[]
  /** Codes with which it was closed, or the reason of its socket. */
  readonly cuts: readonly string[]
  /** Its last `seq`. */
  readonly last: number
  readonly isIn: boolean
  /** The seq of the message; null if the answer was lost. */
  say(data: unknown): Promise<number | null>
  leave(): Promise<void>
}

interface Coming {
  readonly fixture: RoomsFixture
  readonly room: string
  /** The port of the node for each connection. */
  port(): number
}

/** Resolves once it is in the room. */
export async function comes({ fixture, room, port }: Coming): Promise<TestCaller> {
  const { token } = await fixture.guest()
  const seen = new Map<number, string>()
  const gaps: (readonly [number, number])[] = []
  const faults: string[] = []
  const cuts: string[] = []
  let last = -1
  let isOver = false
  let roomClient: RoomClient | null = null
  let isIn = false
  let entered = () => {}

  const keep = (seq: number, from: string, data: unknown) => {
    if (seq !== last + 1 && last >= 0) faults.push(`${seq} came after ${last}`)
    last = seq
    seen.set(seq, JSON.stringify([from, data]))
  }
  const joined = (body: { seq: number; missed: readonly { seq: number; from: string; data: unknown }[] | null }) => {
    if (body.missed !== null) for (const one of body.missed) keep(one.seq, one.from, one.data)
    else if (last >= 0) gaps.push([last, body.seq])
    if (body.missed !== null && last !== body.seq) faults.push(`missed ends with ${last}, not with ${body.seq}`)
    last = body.seq
    isIn = true
    entered()
  }
  const stay = async () => {
    while (!isOver) {
      try {
        const one = await fixture.enter({ token, port: port() })
        roomClient = one
        let reason = 'disconnected'
        one.socket.on('joined', joined)
        one.socket.on('message', ({ seq, from, data }) => keep(seq, from, data))
        one.socket.on('closing', ({ code }) => {
          reason = code
        })
        const since = last < 0 ? {} : { since: last }
        const answer = await one.socket.timeout(ANSWERED_WITHIN_MS).emitWithAck('join', { room, ...since })
        if (!answer.ok) {
          one.socket.disconnect()
          throw new Error(answer.code)
        }
        await one.over
        if (!isOver) cuts.push(reason)
      } catch {
        roomClient?.socket.disconnect()
        await pause(AGAIN_AFTER_MS)
      }
      isIn = false
    }
  }
  const isThere = new Promise<void>((resolve) => {
    entered = resolve
  })
  const staying = stay()
  await isThere
  return {
    seen,
    gaps,
    faults,
    cuts,
    get last() {
      return last
    },
    get isIn() {
      return isIn
    },
    say: async (data) => {
      if (!isIn || roomClient === null) return null
      const sent = roomClient.socket.timeout(ANSWERED_WITHIN_MS).emitWithAck('send', { room, data })
      const answer = await Promise.race([sent.catch(() => null), roomClient.over])
      return typeof answer === 'object' && answer?.ok === true ? answer.seq : null
    },
    leave: async () => {
      isOver = true
      roomClient?.socket.disconnect()
      await staying
    },
  }
}

/** One line for each seq at which two members received different messages, or one missed a message unannounced. */
export function disagreements(
  testCallers: readonly TestCaller[],
  acknowledged: ReadonlyMap<number, unknown>,
): string[] {
  const order = new Map<number, string>()
  const wrong: string[] = testCallers.flatMap(({ faults }) => faults)
  for (const { seen } of testCallers) {
    for (const [seq, message] of seen) {
      if ((order.get(seq) ?? message) !== message) wrong.push(`at ${seq} one saw ${message}, another ${order.get(seq)}`)
      order.set(seq, message)
    }
  }
  for (const [seq, data] of acknowledged) {
    const message = order.get(seq)
    if (message !== undefined && JSON.stringify(JSON.parse(message)[1]) !== JSON.stringify(data)) {
      wrong.push(`${seq} was acknowledged for ${JSON.stringify(data)}, and is ${message}`)
    }
    if (message === undefined) order.set(seq, JSON.stringify(['?', data]))
  }
  const seqs = [...order.keys()].sort((one, other) => one - other)
  testCallers.forEach(({ seen, gaps, last }, n) => {
    const first = Math.min(...seen.keys())
    for (const seq of seqs) {
      if (seq < first || seq > last || seen.has(seq)) continue
      if (!gaps.some(([from, to]) => seq > from && seq <= to)) wrong.push(`the ${n}th never saw ${seq}`)
    }
  })
  return wrong
}
