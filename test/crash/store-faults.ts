// One node under load while its three servers fail one after the other: the log loses answers, freezes, is cut off, restarts
// and falls silent; Redis restarts and is emptied. Callers send again what was not acknowledged, under the same key.

import { createClient } from 'redis'
import { makeBoard, makeGame, makePlayer } from '../front-door/scenery.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { placesBeside } from '../servers/places.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { Random } from '../simulation/random.ts'
import { membersOf, rebuild, rebuiltDifferences } from '../simulation/rebuilt.ts'
import { checkAtLeast, checkBests, checkEveryEntry, readBoard } from './ledger.ts'
import { type Submission, send } from './load.ts'
import { checkHistory } from './prove-kills.ts'
import { withStores } from './stores-of.ts'

const PLAYERS = 6
const CALLERS = 16
const ANSWERS_LOST = 0.3
const LOSE_EVERY_MS = 5
/** How often one who waits for something asks. */
const ASK_EVERY_MS = 50
/** Between two faults, so that each hits a service that works. */
const CALM_MS = 2_000

export interface StoreFaultsProof {
  readonly acknowledged: number
  /** Answers that were no acknowledgement: each was sent again. */
  readonly sentAgain: number
  readonly answersLost: number
  /** Longest that one call took to be answered with anything. */
  readonly longestMs: number
  /** Reads of the unique board that were answered, each compared with what had been acknowledged before it. */
  readonly read: number
  /** Fault -> milliseconds from its end (for silence: its beginning) until a new submission was read back. */
  readonly recovered: Readonly<Record<string, number>>
  /** One line for each thing lost, doubled or wrong. */
  readonly faults: readonly string[]
}

interface Stage {
  readonly world: World
  readonly eventStore: EventStoreServer
  readonly redis: RedisServer
  readonly token: string
  readonly boards: readonly [all: string, unique: string]
  readonly players: readonly string[]
  readonly submissions: Submission[]
  readonly told: { sentAgain: number; answersLost: number; longestMs: number }
  /** While it is measured how soon a fault is over, no answer is lost beside: that alone takes a deadline to find out. */
  isMeasuring: boolean
  isOver: boolean
}

export async function proveStoreFaults(proof: {
  readonly seed: number
  readonly frozenMs: number
}): Promise<StoreFaultsProof> {
  const [eventStore, redis] = await Promise.all([startEventStore(), startRedis()])
  const { places } = await placesBeside(eventStore)
  const world = await openWorld({ places: { places: { ...places, redisUrl: redis.url }, end: async () => {} } })
  try {
    const stage = await setUp(world, eventStore, redis)
    const random = new Random(proof.seed)
    const losing = loseAnswers(stage, random)
    const callers = Array.from({ length: CALLERS }, (_, caller) => submitUntilOver(stage, caller, random))
    const reading = readUntilOver(stage)
    const recovered = await sufferAll(stage, proof.frozenMs)
    stage.isOver = true
    await Promise.all(callers)
    clearInterval(losing)
    const { answered, wrong } = await reading
    const { acknowledged, faults } = await check(stage)
    return { acknowledged, ...stage.told, read: answered, recovered, faults: [...wrong, ...faults] }
  } finally {
    await world.close()
    await Promise.all([eventStore.stop(), redis.stop()])
  }
}

async function setUp(world: World, eventStore: EventStoreServer, redis: RedisServer): Promise<Stage> {
  const game = await makeGame(world)
  const boards = [await makeBoard(world, game, { unique: false }), await makeBoard(world, game)] as const
  const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
  const told = { sentAgain: 0, answersLost: 0, longestMs: 0 }
  return {
    world,
    eventStore,
    redis,
    token: game.token,
    boards,
    players,
    submissions: [],
    told,
    isMeasuring: false,
    isOver: false,
  }
}

/** Of the appends that the server has taken since it last looked, so many of the next lose their answer. */
function loseAnswers(stage: Stage, random: Random): NodeJS.Timeout {
  const { eventStore, told } = stage
  let seen = eventStore.counts().appends
  return setInterval(() => {
    const { appends } = eventStore.counts()
    const lost = Array.from({ length: appends - seen }, () => random.chance(ANSWERS_LOST)).filter(Boolean).length
    seen = appends
    if (lost === 0 || stage.isMeasuring) return
    eventStore.loseAnswers(lost)
    told.answersLost += lost
  }, LOSE_EVERY_MS)
}

async function submitUntilOver(stage: Stage, caller: number, random: Random): Promise<void> {
  for (let n = 0; !stage.isOver; n++) {
    const board = random.pick(stage.boards)
    const key = `faults-${caller}-${n}`
    const score = `${random.below(400) / 2}`
    await acknowledged(stage, { key, board, player: random.pick(stage.players), score, answer: null, failure: null })
  }
}

/** Sends until it is acknowledged. */
async function acknowledged(stage: Stage, submission: Submission): Promise<Submission> {
  stage.submissions.push(submission)
  for (;;) {
    const begun = performance.now()
    const answer = await send(stage.world, stage.token, submission)
    stage.told.longestMs = Math.max(stage.told.longestMs, Math.round(performance.now() - begun))
    if (answer.status < 300) {
      submission.answer = answer
      return submission
    }
    if (answer.status !== 503) throw new Error(`${submission.key} was answered ${answer.status}: ${answer.text}`)
    stage.told.sentAgain++
    await pause(ASK_EVERY_MS)
  }
}

/** Reads the unique board all the while. An answer has every best that was acknowledged before, or is 503. */
async function readUntilOver(stage: Stage): Promise<{ answered: number; wrong: string[] }> {
  const { world, token, boards, submissions } = stage
  const wrong: string[] = []
  let answered = 0
  while (!stage.isOver) {
    const before = submissions.filter(({ board, answer }) => board === boards[1] && answer !== null)
    const read = await world.call('GET', `/api/lb/${boards[1]}/score/?limit=100`, { token })
    if (read.status === 200) {
      answered++
      wrong.push(...checkAtLeast(read.body.scores, before))
    } else if (read.status !== 503) wrong.push(`a read was answered ${read.status}: ${read.text}`)
    await pause(ASK_EVERY_MS)
  }
  return { answered, wrong }
}

async function sufferAll(stage: Stage, frozenMs: number): Promise<Record<string, number>> {
  const { eventStore, redis } = stage
  const recovered: Record<string, number> = {}
  const suffer = async (name: string, fault: () => unknown) => {
    await pause(CALM_MS)
    await fault()
    recovered[name] = await untilReadBack(stage, name)
  }
  await suffer('log frozen', async () => {
    eventStore.freeze()
    await pause(frozenMs)
    eventStore.thaw()
  })
  await suffer('log cut off', () => eventStore.cut())
  await suffer('log restarted', () => eventStore.restart({ notReadyMs: 800 }))
  await suffer('subscription silent', () => eventStore.stall())
  await suffer('Redis restarted', () => redis.restart())
  await suffer('Redis killed', async () => {
    await redis.kill()
    await redis.start()
  })
  await suffer('Redis emptied', () => emptied(redis))
  return recovered
}

/** Submits one, and reads the board with the token of its answer until it is there. */
async function untilReadBack(stage: Stage, name: string): Promise<number> {
  const { world, token, boards, players } = stage
  const begun = performance.now()
  stage.isMeasuring = true
  stage.eventStore.loseAnswers(0)
  const [board, player = ''] = [boards[0], players[0]]
  const key = `after ${name}`
  const { answer } = await acknowledged(stage, { key, board, player, score: '1', answer: null, failure: null })
  const headers = { 'x-consistency-token': String(answer?.headers['x-consistency-token']) }
  for (;;) {
    const read = await world.call('GET', `/api/lb/${board}/score/?limit=1`, { token, headers })
    if (read.status === 200) break
    if (read.status !== 503) throw new Error(`a read after ${name} was answered ${read.status}: ${read.text}`)
    await pause(ASK_EVERY_MS)
  }
  stage.isMeasuring = false
  return Math.round(performance.now() - begun)
}

async function check(stage: Stage): Promise<{ acknowledged: number; faults: string[] }> {
  const { world, token, submissions } = stage
  const [all, unique] = stage.boards
  const on = (board: string) => submissions.filter((one) => one.board === board)
  const shown = [
    ...checkEveryEntry(await readBoard(world, token, all), on(all)),
    ...checkBests(await readBoard(world, token, unique), on(unique)),
  ]
  await world.end()
  const kept = await withStores(world, async ({ log, views, rankings }) => {
    const rebuilt = await rebuild(log)
    const faults = [...(await checkHistory(log, [{ submissions }])), ...(await rebuiltDifferences(views, log, rebuilt))]
    for (const key of rebuilt.keys) {
      const [live, due] = [await membersOf(rankings, key), await membersOf(rebuilt.rankings, key)]
      if (live.join() !== due.join())
        faults.push(`ranking ${key.key} has ${live.length} members and should have ${due.length}`)
    }
    return faults
  })
  return { acknowledged: submissions.filter(({ answer }) => answer !== null).length, faults: [...shown, ...kept] }
}

async function emptied({ url }: RedisServer): Promise<void> {
  const client = createClient({ url })
  await client.connect()
  await client.flushAll()
  client.destroy()
}

const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))
