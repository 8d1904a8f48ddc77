// A member who stays: cut, it comes back and asks what it missed. It keeps each message by its place in the order, and
// each gap that it was told of; anything else is a fault.

import type { Party, Visitor } from './party.ts'

const AGAIN_AFTER_MS = 200
const ANSWERED_WITHIN_MS = 5_000

export interface TestCaller {
  /** `seq` -> who said what, as JSON. */
  readonly seen: ReadonlyMap<number, string>
  /** Announced gaps: the last seq it had, and the last there was. */
  readonly gaps: readonly (readonly [number, number])[]
  /** One line for each thing that must not be. */
  readonly faults: readonly string[]
  /** Codes by which it was cut, or what its socket said. */
  readonly cuts: readonly string[]
  /** Its last `seq`. */
  readonly last: number
  readonly isIn: boolean
  /** The place in the order; null where that was not told. */
  say(data: unknown): Promise<number | null>
  leave(): Promise<void>
}

interface Coming {
  readonly party: Party
  readonly room: string
  /** Of the node that it comes to, each time. */
  port(): number
}

/** Resolves once it is in the room. */
export async function comes({ party, room, port }: Coming): Promise<TestCaller> {
  const { token } = await party.guest()
  const seen = new Map<number, string>()
  const gaps: (readonly [number, number])[] = []
  const faults: string[] = []
  const cuts: string[] = []
  let last = -1
  let isOver = false
  let visitor: Visitor | null = null
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
        const one = await party.enter({ token, port: port() })
        visitor = one
        let why = 'disconnected'
        one.socket.on('joined', joined)
        one.socket.on('message', ({ seq, from, data }) => keep(seq, from, data))
        one.socket.on('closing', ({ code }) => {
          why = code
        })
        const since = last < 0 ? {} : { since: last }
        const answer = await one.socket.timeout(ANSWERED_WITHIN_MS).emitWithAck('join', { room, ...since })
        if (!answer.ok) {
          one.socket.disconnect()
          throw new Error(answer.code)
        }
        await one.over
        if (!isOver) cuts.push(why)
      } catch {
        visitor?.socket.disconnect()
        await new Promise((again) => setTimeout(again, AGAIN_AFTER_MS))
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
      if (!isIn || visitor === null) return null
      const sent = visitor.socket.timeout(ANSWERED_WITHIN_MS).emitWithAck('send', { room, data })
      const answer = await Promise.race([sent.catch(() => null), visitor.over])
      return typeof answer === 'object' && answer?.ok === true ? answer.seq : null
    },
    leave: async () => {
      isOver = true
      visitor?.socket.disconnect()
      await staying
    },
  }
}

/**
 * One line for each place in the order at which two saw different things, or where one saw nothing and was not told so.
 */
export function disagreements(
  testCallers: readonly TestCaller[],
  acknowledged: ReadonlyMap<number, unknown>,
): string[] {
  const order = new Map<number, string>()
  const wrong: string[] = testCallers.flatMap(({ faults }) => faults)
  for (const { seen } of testCallers) {
    for (const [seq, said] of seen) {
      if ((order.get(seq) ?? said) !== said) wrong.push(`at ${seq} one saw ${said}, another ${order.get(seq)}`)
      order.set(seq, said)
    }
  }
  for (const [seq, data] of acknowledged) {
    const said = order.get(seq)
    if (said !== undefined && JSON.stringify(JSON.parse(said)[1]) !== JSON.stringify(data)) {
      wrong.push(`${seq} was acknowledged for ${JSON.stringify(data)}, and is ${said}`)
    }
    if (said === undefined) order.set(seq, JSON.stringify(['?', data]))
  }
  const places = [...order.keys()].sort((one, other) => one - other)
  testCallers.forEach(({ seen, gaps, last }, n) => {
    const first = Math.min(...seen.keys())
    for (const seq of places) {
      if (seq < first || seq > last || seen.has(seq)) continue
      if (!gaps.some(([from, to]) => seq > from && seq <= to)) wrong.push(`the ${n}th never saw ${seq}`)
    }
  })
  return wrong
}
