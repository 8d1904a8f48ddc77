// Calls with an Idempotency-Key when the store has as many markers of running calls as it may have.

import { expect } from 'chai'
import { randomIds } from '../../credentials/command-ids.ts'
import { type KeyedCall, runOnce } from '../../http/pipeline/idempotency.ts'
import type { Answer } from '../../http/route.ts'
import { createTransient } from '../../stores/embedded/transient.ts'

const ANSWER: Answer = { status: 200, body: {} }

function rig(maxKeys: number) {
  const contexts = {
    keyed: (_caller: unknown, key: string) => ({ ...randomIds(), command: key }),
    fresh: randomIds,
    callHash: (call: string) => call,
  }
  const deps = { contexts, transient: createTransient(maxKeys), commandSeen: async () => null }
  const call = (key: string): KeyedCall => ({ caller: null, key, meaning: [], requestId: `r-${key}`, nowMs: 0 })
  return (key: string, run: () => Promise<Answer>) => runOnce(deps, call(key), run)
}

describe('a call with an Idempotency-Key above the limit of calls in progress', () => {
  it('is answered 503 busy with Retry-After without running, and runs after another call has ended', async () => {
    const run = rig(1)
    let end = (_answer: Answer): void => {}
    const first = run('a', () => new Promise((resolve) => (end = resolve)))
    let runs = 0
    const second = async () => {
      runs += 1
      return ANSWER
    }
    const refused: unknown = await run('b', second).catch((error: unknown) => error)
    expect(refused).to.deep.include({ kind: 'unavailable', code: 'busy', fields: { retry_after: 5 } })
    expect(runs).to.equal(0)
    end(ANSWER)
    expect(await first).to.equal(ANSWER)
    expect([await run('b', second), runs]).to.deep.equal([ANSWER, 1])
  })
})
