// Another player on core 1 with their own address: reads the top 20, sometimes submits, sometimes opens a new
// connection, and records the duration of each call. Run as a child process; the parent sends `{ forMs }`.

import { pause } from '../until.ts'
import type { AttackedGame } from './attacked-game.ts'
import { callerFrom } from './caller.ts'

export interface Watched {
  /** Milliseconds of each call that was answered with 2xx, in the order of the calls. */
  readonly times: readonly number[]
  /** Other answers, and calls without an answer. */
  readonly failures: readonly string[]
}

const ADDRESS = '127.0.0.3'
const EVERY_MS = 20
/** A call whose number these divide is a submission, or uses a new connection. */
const SUBMISSION_EVERY = 5
const CONNECTION_EVERY = 50

async function watch(port: number, attackedGame: AttackedGame, forMs: number): Promise<Watched> {
  const times: number[] = []
  const failures: string[] = []
  let caller = callerFrom(ADDRESS, port, 1)
  const end = performance.now() + forMs
  for (let n = 1; performance.now() < end; n++) {
    if (n % CONNECTION_EVERY === 0) {
      caller.close()
      caller = callerFrom(ADDRESS, port, 1)
    }
    const began = performance.now()
    const path = `/api/lb/${attackedGame.board}/score/`
    const answer = await (n % SUBMISSION_EVERY === 0
      ? caller.call('POST', path, { token: attackedGame.bystander, body: { score: String(n) } })
      : caller.call('GET', `${path}?limit=20`, { token: attackedGame.bystander })
    ).catch((error: Error) => error)
    const tookMs = performance.now() - began
    if (answer instanceof Error) failures.push(answer.message)
    else if (answer.status > 299) failures.push(`${answer.status} ${answer.text.slice(0, 200)}`)
    else times.push(tookMs)
    const left = EVERY_MS - tookMs
    if (left > 0) await pause(left)
  }
  caller.close()
  return { times, failures }
}

process.on(
  'message',
  async ({ port, attackedGame, forMs }: { port: number; attackedGame: AttackedGame; forMs: number }) => {
    process.send?.(await watch(port, attackedGame, forMs))
  },
)
