// What is answered to an Idempotency-Key that was used before.

import { expect } from 'chai'
import { randomIds } from '../../credentials/command-ids.ts'
import type { Refusal } from '../../domain/decider.ts'
import { type KeyedCall, runOnce } from '../../http/pipeline/idempotency.ts'
import type { Answer } from '../../http/route.ts'
import { createTransient } from '../../stores/embedded/transient.ts'

const ANSWER: Answer = { status: 200, body: {} }
const HOURS_48_MS = 172_800_000
const USED_MS = Date.parse('2026-01-01T00:00:00.000Z')

/** The answer to a call with a key that was used at USED_MS for `POST /a`, or what refuses it. */
function sendAgain(meaning: string, nowMs: number): Promise<Answer | Refusal> {
  const contexts = {
    keyed: (_caller: unknown, key: string) => ({ ...randomIds(), command: key }),
    fresh: randomIds,
    callHash: (call: string) => call,
  }
  const time = new Date(USED_MS).toISOString()
  const recorded = { call: JSON.stringify(['POST', '/a']), time, board: null, player: null }
  const deps = { contexts, transient: createTransient(), commandSeen: async () => recorded }
  const call: KeyedCall = { caller: null, key: 'k', meaning: ['POST', meaning], requestId: 'r', nowMs }
  return runOnce(deps, call, async () => ANSWER).catch((error: Refusal) => error)
}

const refused = async (meaning: string, nowMs: number) => {
  const { kind, code, message } = (await sendAgain(meaning, nowMs)) as Refusal
  return [kind, code, message]
}

describe('an Idempotency-Key that was used before', () => {
  const OTHER_CALL = [
    'unprocessable',
    'idempotency_key_reused',
    'This idempotency key was used for another submission or call. Use a new one.',
  ]

  it('runs the same call again for 48 hours', async () => {
    expect(await sendAgain('/a', USED_MS + HOURS_48_MS)).to.equal(ANSWER)
  })

  it('is refused after 48 hours as too old, for the same call too', async () => {
    expect(await refused('/a', USED_MS + HOURS_48_MS + 1)).to.deep.equal([
      'unprocessable',
      'idempotency_key_reused',
      'This idempotency key was used more than 48 hours ago. Use a new one if the call shall take effect again.',
    ])
  })

  it('is refused for another call at any time, as used for another one', async () => {
    expect(await refused('/b', USED_MS)).to.deep.equal(OTHER_CALL)
    expect(await refused('/b', USED_MS + HOURS_48_MS + 1)).to.deep.equal(OTHER_CALL)
  })
})
