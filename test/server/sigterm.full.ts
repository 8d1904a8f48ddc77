// The real process, stopped under load: it finishes running calls and exits in order.

import { expect } from 'chai'
import { checkBests, checkEveryEntry, readBoard } from '../crash/ledger.ts'
import { type Submission, submitMuch } from '../crash/load.ts'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { differencesIn } from '../crash/stores-of.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { isOfAStop } from '../front-door/http-client.ts'
import { gate, pause } from '../until.ts'

const CALLERS = 16
/**
 * Answers of each caller before the signal: the kernel may reset a connection that is being established when a
 * process ends.
 */
const MIN_ANSWERS = 2
/** Within the 10 s that running requests have before they are cut. */
const LEAVES_WITHIN_MS = 9_500
/** Far less than the second within which a second signal counts as the same. */
const SAME_SIGNAL_AFTER_MS = 20

async function makeTarget(world: ProcessWorld) {
  const game = await makeGame(world)
  const players = await Promise.all(['Ada', 'Bo', 'Cy'].map((name) => makePlayer(world, game, name)))
  const boards = [await makeBoard(world, game, { unique: false }), await makeBoard(world, game)]
  return { token: game.token, players, boards }
}

/** Starts the load, sends the signals during it, and returns the outcome of both. */
async function stopUnderLoad(world: ProcessWorld, signals: readonly ('SIGTERM' | 'SIGINT')[]) {
  const target = await makeTarget(world)
  const answers: number[] = Array(CALLERS).fill(0)
  const { opened: loaded, open: markLoaded } = gate()
  const answered = (caller: number) => {
    answers[caller] = (answers[caller] ?? 0) + 1
    if (answers.every((count) => count >= MIN_ANSWERS)) markLoaded()
  }
  const load = { callers: CALLERS, name: 'call', random: Math.random, stopped: () => false, answered }
  const submitting = submitMuch(world, target, load)
  await loaded
  const stopped = performance.now()
  const [first, ...more] = signals
  if (first !== undefined) world.signal(first)
  for (const signal of more) {
    await pause(SAME_SIGNAL_AFTER_MS)
    world.signal(signal)
  }
  const exit = await world.ended()
  const tookMs = performance.now() - stopped
  return { target, submissions: await submitting, exit, tookMs }
}

/**
 * Answered as requested or with 503, or not connected any more: a submission without an answer
 * must not be on the boards either.
 */
function isFair({ answer, failure }: Submission): boolean {
  if (answer === null) return failure !== null && isOfAStop(failure)
  return answer.status === 200 || answer.status === 201 || answer.status === 503
}

describe('a stop signal under load', () => {
  let world: ProcessWorld
  beforeEach(async function () {
    this.timeout(60_000)
    world = await openProcessWorld()
  })
  afterEach(() => world.close())

  it('answers running calls, refuses new ones, exits with 0, and loses nothing', async function () {
    this.timeout(60_000)
    const { target, submissions, exit, tookMs } = await stopUnderLoad(world, ['SIGTERM'])
    expect(exit).to.deep.equal({ code: 0, signal: null })
    expect(tookMs).to.be.lessThan(LEAVES_WITHIN_MS)
    expect(
      submissions.filter((one) => !isFair(one)).map(({ answer, failure }) => failure?.message ?? answer?.text),
    ).to.deep.equal([])
    expect(await differencesIn(world)).to.deep.equal([])

    const recorded = submissions.filter(({ answer }) => answer !== null && answer.status < 300)
    expect(recorded.length).to.be.greaterThan(CALLERS)
    await world.begin()
    const [all = '', unique = ''] = target.boards
    const on = (board: string) => recorded.filter((one) => one.board === board)
    expect(checkEveryEntry(await readBoard(world, target.token, all), on(all))).to.deep.equal([])
    expect(checkBests(await readBoard(world, target.token, unique), on(unique))).to.deep.equal([])
    expect(world.output()).to.not.include('"level":50')
  })

  it('treats a second signal within a second as the same one, as npm repeats it', async function () {
    this.timeout(60_000)
    const { submissions, exit } = await stopUnderLoad(world, ['SIGINT', 'SIGINT'])
    expect(exit).to.deep.equal({ code: 0, signal: null })
    expect(
      submissions.filter((one) => !isFair(one)).map(({ answer, failure }) => failure?.message ?? answer?.text),
    ).to.deep.equal([])
  })
})
