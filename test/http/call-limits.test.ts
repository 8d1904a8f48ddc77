// Limits of the calls in progress on a node: markers of Idempotency-Keys, history readers and followers; and callers
// who disconnect.

import { connect } from 'node:net'
import { expect } from 'chai'
import { randomIds } from '../../credentials/command-ids.ts'
import { Refusal } from '../../domain/decider.ts'
import { type KeyedCall, runOnce } from '../../http/pipeline/idempotency.ts'
import type { Answer } from '../../http/route.ts'
import { FOLLOWERS_MAX, FOLLOWERS_OF_A_GAME_MAX, Followers } from '../../http/routes/followers.ts'
import { createTransient } from '../../stores/embedded/transient.ts'
import { createWorld } from './pipeline-world.ts'

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

const HEAD = ['POST /api/lb/b1/slow/ HTTP/1.1', 'Host: localhost', 'Authorization: Bearer tenant', 'Content-Length: 2']

describe('a disconnected caller', () => {
  it('is not logged as a failure', async () => {
    const world = await createWorld()
    const socket = connect(world.port, '127.0.0.1')
    socket.write(`${HEAD.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n{}`)
    await world.gate.entered
    socket.resetAndDestroy()
    // Closing ends when no connection is left: by then the server has seen the end of this one.
    await world.close()
    world.gate.open()
    expect(world.lines.filter((line) => line.includes('http failed'))).to.deep.equal([])
  })
})

const codeOf = (enter: () => unknown): string | null => {
  try {
    enter()
    return null
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error)
  }
}

describe('limits of history readers', () => {
  it('limit the readers of one game, and count a slot that is released twice once', () => {
    const followers = new Followers()
    const slots = Array.from({ length: FOLLOWERS_OF_A_GAME_MAX }, () => followers.enter('g1'))
    expect(codeOf(() => followers.enter('g1'))).to.equal('too_many_followers')
    expect(codeOf(() => followers.enter('g2'))).to.equal(null)
    slots[0]?.()
    slots[0]?.()
    expect(codeOf(() => followers.enter('g1'))).to.equal(null)
    expect(codeOf(() => followers.enter('g1'))).to.equal('too_many_followers')
  })

  it('limit the readers of all games together', () => {
    const followers = new Followers()
    for (let n = 0; n < FOLLOWERS_MAX; n++) followers.enter(`g${n % 50}`)
    expect(codeOf(() => followers.enter('another'))).to.equal('too_many_followers')
    expect(followers.size).to.equal(FOLLOWERS_MAX)
  })
})
