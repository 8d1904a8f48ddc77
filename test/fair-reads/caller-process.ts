// The callers of the fair-reads soak test, a child process on its own core. The parent sends an order; the answer has
// the duration and the status of the calls.

import { callerFrom } from '../abuse/caller.ts'
import { pause } from '../until.ts'

export interface Order {
  readonly port: number
  /** The loopback source address of the calls. */
  readonly from: string
  readonly forMs: number
  /** Calls in flight. */
  readonly lanes: number
  /** Milliseconds between the starts of two calls of a lane; 0: one after the other. */
  readonly everyMs: number
  /** One token per lane; the last one is for all further lanes. */
  readonly tokens: readonly string[]
  /** Paths to read, round-robin. */
  readonly paths: readonly string[]
  /** The share of calls that submit a score, and the leaderboard. `risingFrom`: each score is one more than the last. */
  readonly writes?: { readonly board: string; readonly share: number; readonly risingFrom?: number }
}

export interface Called {
  /** Milliseconds of each read that was answered with 200. */
  readonly times: readonly number[]
  /** Status or connection fault -> how many. */
  readonly answers: Readonly<Record<string, number>>
  /** The first answer of each status other than 2xx. */
  readonly refusals: readonly string[]
}

const SCORES = 10_000_000

async function run({ port, from, forMs, lanes, everyMs, tokens, paths, writes }: Order): Promise<Called> {
  const caller = callerFrom(from, port, lanes)
  const times: number[] = []
  const answers = new Map<string, number>()
  const refusals = new Map<string, string>()
  const end = performance.now() + forMs
  let next = 0
  const one = async (token: string) => {
    const n = next++
    const isWrite = writes !== undefined && (n * 0.618_034) % 1 < writes.share
    const began = performance.now()
    const rising = writes?.risingFrom
    const score = String(rising === undefined ? (n * 7_919_317) % SCORES : rising + n)
    const answer = await (isWrite
      ? caller.call('POST', `/api/lb/${writes.board}/score/`, { token, body: { score } })
      : caller.call('GET', paths[n % paths.length] ?? '', { token })
    ).catch((error: Error) => ({ status: error.message, text: '' }))
    const took = performance.now() - began
    const status = String(answer.status)
    answers.set(status, (answers.get(status) ?? 0) + 1)
    if (answer.status === 200 && !isWrite) times.push(took)
    else if (!status.startsWith('2') && !refusals.has(status)) refusals.set(status, answer.text.slice(0, 200))
    return took
  }
  const lane = async (_: unknown, n: number) => {
    const token = tokens[Math.min(n, tokens.length - 1)] ?? ''
    while (performance.now() < end) {
      const left = everyMs - (await one(token))
      if (left > 0) await pause(left)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  caller.close()
  return { times, answers: Object.fromEntries(answers), refusals: [...refusals].map((pair) => pair.join(' ')) }
}

process.on('message', async (order: Order) => {
  process.send?.(await run(order))
})
