// One node under load while its three servers fail one after the other: the log loses answers, freezes, is cut off,
// restarts and falls silent; Redis restarts and is emptied. Callers send again what was not acknowledged, under the
// same key.

import { createClient } from 'redis'
import { openWorld } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { placesBeside } from '../servers/places.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { pause } from '../until.ts'
import { lasting, type Stage, setStage, submitUntilOver } from './stage.ts'
import { checkKept, checkShown } from './stage-check.ts'
import { readUntilOver, untilReadBack } from './stage-reads.ts'

const CALLERS = 16
const ANSWERS_LOST = 0.3
const LOSE_EVERY_MS = 5
/** Between two faults, so that each hits a service that works. */
const CALM_MS = 500

interface StoreFaultsProof {
  readonly acknowledged: number
  /** Answers that were no acknowledgement: each was sent again. */
  readonly sentAgain: number
  readonly answersLost: number
  /** Longest that one call took to be answered with anything. */
  readonly longestMs: number
  /** Reads that were answered, each compared with what had been acknowledged before it. */
  readonly read: number
  /** Fault -> milliseconds from its end (for silence: its beginning) until a new submission was read back. */
  readonly recovered: Readonly<Record<string, number>>
  /** One line for each thing lost, doubled or wrong. */
  readonly faults: readonly string[]
}

interface Servers {
  readonly eventStore: EventStoreServer
  readonly redis: RedisServer
}

interface Losing {
  lost: number
  /**
   * While it is measured how soon a fault is over, no answer is lost beside: that alone takes a deadline to find out.
   */
  isOff: boolean
  end(): void
}

export async function proveStoreFaults(proof: {
  readonly seed: number
  readonly frozenMs: number
}): Promise<StoreFaultsProof> {
  const [eventStore, redis] = await Promise.all([startEventStore(), startRedis()])
  const { places } = await placesBeside(eventStore)
  const world = await openWorld({ places: { places: { ...places, redisUrl: redis.url }, end: async () => {} } })
  try {
    const random = new Random(proof.seed)
    const stage = await setStage([lasting(world)], { games: 1, paceMs: 0, random })
    const losing = loseAnswers(eventStore, random)
    const callers = Array.from({ length: CALLERS }, (_, caller) => submitUntilOver(stage, `faults-${caller}`))
    const reading = readUntilOver(stage)
    const recovered = await sufferAll(stage, { eventStore, redis }, losing, proof.frozenMs)
    stage.isOver = true
    await Promise.all(callers)
    losing.end()
    const { answered } = await reading
    const shown = await checkShown(stage)
    await world.end()
    const faults = [...stage.faults, ...shown, ...(await checkKept(world, [stage]))]
    const acknowledged = stage.scenes.reduce((sum, scene) => sum + scene.acknowledged.length, 0)
    return { acknowledged, ...stage.told, answersLost: losing.lost, read: answered, recovered, faults }
  } finally {
    await world.close()
    await Promise.all([eventStore.stop(), redis.stop()])
  }
}

/** Of the appends that the server has taken since it last looked, so many of the next lose their answer. */
function loseAnswers(eventStore: EventStoreServer, random: Random): Losing {
  let seen = eventStore.counts().appends
  const losing: Losing = { lost: 0, isOff: false, end: () => clearInterval(every) }
  const every = setInterval(() => {
    const { appends } = eventStore.counts()
    const lost = Array.from({ length: appends - seen }, () => random.chance(ANSWERS_LOST)).filter(Boolean).length
    seen = appends
    if (lost === 0 || losing.isOff) return
    eventStore.loseAnswers(lost)
    losing.lost += lost
  }, LOSE_EVERY_MS)
  return losing
}

async function sufferAll(
  stage: Stage,
  { eventStore, redis }: Servers,
  losing: Losing,
  frozenMs: number,
): Promise<Record<string, number>> {
  const recovered: Record<string, number> = {}
  const suffer = async (name: string, fault: () => unknown) => {
    await pause(CALM_MS)
    await fault()
    losing.isOff = true
    eventStore.loseAnswers(0)
    recovered[name] = await untilReadBack(stage, name, performance.now())
    losing.isOff = false
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

export async function emptied({ url }: RedisServer): Promise<void> {
  const client = createClient({ url })
  await client.connect()
  await client.flushAll()
  client.destroy()
}
