// Calls with an Idempotency-Key when the store holds as many marks of calls in progress as it may.

import { expect } from 'chai'
import { randomIds } from '../../credentials/command-ids.ts'
import { type KeyedCall, runOnce } from '../../http/pipeline/idempotency.ts'
import type { Answer } from '../../http/route.ts'
import { createTransient } from '../../stores/embedded/transient.ts'

const ANSWER: Answer = { status: 200, body: {} }

function rig(maxMarks: number) {
  const contexts = {
    keyed: (_caller: unknown, key: string) => ({ ...randomIds(), command: key }),
    fresh: randomIds,
    callHash: (call: string) => call,
  }
  const deps = { contexts, transient: createTransient(maxMarks), commandSeen: async () => null }
  const call = (key: string): KeyedCall => ({ caller: null, key, meaning: [], requestId: `r-${key}`, nowMs: 0 })
  return (key: string, run: () => Promise<Answer>) => runOnce(deps, call(key), run)
}

describe('a call with an Idempotency-Key while as many run as the server holds marks of', () => {
  it('answers 503 busy with Retry-After, runs nothing, and runs once one of the others has ended', async () => {
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
