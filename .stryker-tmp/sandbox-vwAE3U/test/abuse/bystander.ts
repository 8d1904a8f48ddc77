// Another player on core 1 with an address of their own: reads the top 20, submits now and then, opens a new connection
// now and then, and notes how long each call took. Run as a child process; the parent sends `{ forMs }`.

import { callerFrom } from './caller.ts'
import type { Scene } from './scene.ts'

export interface Watched {
  /** Milliseconds of each call that was answered with 2xx, in the order of the calls. */
  readonly times: readonly number[]
  /** What was answered otherwise, or not at all. */
  readonly failures: readonly string[]
}

const ADDRESS = '127.0.0.3'
const EVERY_MS = 20
/** Each call whose number these divide is a submission, or comes over a new connection. */
const SUBMISSION_EVERY = 5
const CONNECTION_EVERY = 50

async function watch(port: number, scene: Scene, forMs: number): Promise<Watched> {
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
    const path = `/api/lb/${scene.board}/score/`
    const answer = await (n % SUBMISSION_EVERY === 0
      ? caller.call('POST', path, { token: scene.bystander, body: { score: String(n) } })
      : caller.call('GET', `${path}?limit=20`, { token: scene.bystander })
    ).catch((error: Error) => error)
    const took = performance.now() - began
    if (answer instanceof Error) failures.push(answer.message)
    else if (answer.status > 299) failures.push(`${answer.status} ${answer.text.slice(0, 200)}`)
    else times.push(took)
    const left = EVERY_MS - took
    if (left > 0) await new Promise((next) => setTimeout(next, left))
  }
  caller.close()
  return { times, failures }
}

process.on('message', async ({ port, scene, forMs }: { port: number; scene: Scene; forMs: number }) => {
  process.send?.(await watch(port, scene, forMs))
})
