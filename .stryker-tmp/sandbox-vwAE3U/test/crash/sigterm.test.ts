// The real process, told to stop under load: it finishes what it has begun, and leaves in order.

import { expect } from 'chai'
import { isOfAStop } from '../front-door/http-client.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/scenery.ts'
import { gate, pause } from '../until.ts'
import { checkBests, checkEveryEntry, readBoard } from './ledger.ts'
import { type Submission, submitMuch } from './load.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'
import { differencesIn } from './stores-of.ts'

const CALLERS = 16
/**
 * Of each caller, before the signal: a connection that is only just being made when a process goes may be reset by the
 * kernel.
 */
const ANSWERS_LEAST = 2
/** Inside the 10 s that running requests have, after which they are cut. */
const LEAVES_WITHIN_MS = 9_500
/** Far less than the second within which it is the same signal. */
const SAME_SIGNAL_AFTER_MS = 20

async function scenery(world: ProcessWorld) {
  const game = await makeGame(world)
  const players = await Promise.all(['Ada', 'Bo', 'Cy'].map((name) => makePlayer(world, game, name)))
  const boards = [await makeBoard(world, game, { unique: false }), await makeBoard(world, game)]
  return { token: game.token, players, boards }
}

/** Load, the signals in the middle of it, and what came of both. */
async function stopUnderLoad(world: ProcessWorld, signals: readonly ('SIGTERM' | 'SIGINT')[]) {
  const scene = await scenery(world)
  const answers: number[] = Array(CALLERS).fill(0)
  const { opened: loaded, open: begun } = gate()
  const answered = (caller: number) => {
    answers[caller] = (answers[caller] ?? 0) + 1
    if (answers.every((count) => count >= ANSWERS_LEAST)) begun()
  }
  const load = { callers: CALLERS, name: 'call', random: Math.random, stopped: () => false, answered }
  const submitting = submitMuch(world, scene, load)
  await loaded
  const stopped = performance.now()
  const [first, ...more] = signals
  if (first !== undefined) world.signal(first)
  for (const signal of more) {
    await pause(SAME_SIGNAL_AFTER_MS)
    world.signal(signal)
  }
  const exit = await world.ended()
  const took = performance.now() - stopped
  return { scene, submissions: await submitting, exit, took }
}

/**
 * Answered with what was asked for or 503, or not let in any more: what was not answered
 * must not be on the boards either.
 */
function isFair({ answer, failure }: Submission): boolean {
  if (answer === null) return failure !== null && isOfAStop(failure)
  return answer.status === 200 || answer.status === 201 || answer.status === 503
}

describe('a signal to stop under load', () => {
  let world: ProcessWorld
  beforeEach(async function () {
    this.timeout(60_000)
    world = await openProcessWorld()
  })
  afterEach(() => world.close())

  it('answers what runs, refuses the rest, exits with 0, and loses nothing', async function () {
    this.timeout(60_000)
    const { scene, submissions, exit, took } = await stopUnderLoad(world, ['SIGTERM'])
    expect(exit).to.deep.equal({ code: 0, signal: null })
    expect(took).to.be.lessThan(LEAVES_WITHIN_MS)
    expect(
      submissions.filter((one) => !isFair(one)).map(({ answer, failure }) => failure?.message ?? answer?.text),
    ).to.deep.equal([])
    expect(await differencesIn(world)).to.deep.equal([])

    const recorded = submissions.filter(({ answer }) => answer !== null && answer.status < 300)
    expect(recorded.length).to.be.greaterThan(CALLERS)
    await world.begin()
    const [all = '', unique = ''] = scene.boards
    const on = (board: string) => recorded.filter((one) => one.board === board)
    expect(checkEveryEntry(await readBoard(world, scene.token, all), on(all))).to.deep.equal([])
    expect(checkBests(await readBoard(world, scene.token, unique), on(unique))).to.deep.equal([])
    expect(world.output()).to.not.include('"level":50')
  })

  it('takes a second signal within a second for the same one, as npm passes it on', async function () {
    this.timeout(60_000)
    const { submissions, exit } = await stopUnderLoad(world, ['SIGINT', 'SIGINT'])
    expect(exit).to.deep.equal({ code: 0, signal: null })
    expect(
      submissions.filter((one) => !isFair(one)).map(({ answer, failure }) => failure?.message ?? answer?.text),
    ).to.deep.equal([])
  })
})
