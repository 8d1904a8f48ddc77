// Each room has one order over two nodes, also while nodes are stopped and Redis fails.

import { pause } from '../until.ts'
import { untilBack } from './prove-seats.ts'
import { openRoomsFixture } from './rooms-fixture.ts'
import type { RoomsNodes } from './rooms-nodes.ts'
import { comes, disagreements, type TestCaller } from './test-caller.ts'

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
