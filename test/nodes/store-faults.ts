// One node under load while its three store servers fail one after another: the log loses answers, freezes, is cut off,
// restarts and stops answering; Redis restarts and is emptied. Callers repeat what was not acknowledged, under the
// same key.

import { createClient } from 'redis'
import { type LoadRun, openLoadRun, permanentNode, submitUntilOver } from '../crash/load-run.ts'
import { checkShown, checkStored } from '../crash/load-run-check.ts'
import { readUntilOver, untilReadBack } from '../crash/load-run-reads.ts'
import { openWorld } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { freshStoresBeside, withServers } from '../servers/store-urls.ts'
import { pause } from '../until.ts'

const CALLERS = 16
const ANSWERS_LOST = 0.3
const LOSE_EVERY_MS = 5
/** Answers lost between two faults, so that each hits a service that works, though it loses answers. */
const LOST_BETWEEN = 8

interface StoreFaultsProof {
  readonly acknowledged: number
  /** Answers other than an acknowledgement; each call was repeated. */
  readonly sentAgain: number
  readonly answersLost: number
  /** The longest time until a call was answered. */
  readonly longestMs: number
  /** Answered reads, each compared with what was acknowledged before it. */
  readonly read: number
  /** Fault -> milliseconds from its end (for silence: its beginning) until a new submission was read back. */
  readonly recovered: Readonly<Record<string, number>>
  /** One line per lost, duplicated or wrong submission. */
  readonly faults: readonly string[]
}

interface Servers {
  readonly eventStore: EventStoreServer
  readonly redis: RedisServer
}

interface Losing {
  lost: number
  /**
   * No answer is lost while a recovery is measured: finding that out alone takes a deadline.
   */
  isOff: boolean
  end(): void
}

export async function proveStoreFaults(proof: {
  readonly seed: number
  readonly frozenMs: number
}): Promise<StoreFaultsProof> {
  const [eventStore, redis] = await Promise.all([startEventStore(), startRedis()])
  const { storeUrls } = await freshStoresBeside(eventStore)
  const world = await openWorld({
    storeUrls: { storeUrls: withServers(storeUrls, { redisUrl: redis.url }), end: async () => {} },
  })
  try {
    const random = new Random(proof.seed)
    const loadRun = await openLoadRun([permanentNode(world)], { games: 1, paceMs: 0, random })
    const losing = loseAnswers(eventStore, random)
    const callers = Array.from({ length: CALLERS }, (_, caller) => submitUntilOver(loadRun, `faults-${caller}`))
    const reading = readUntilOver(loadRun)
    const recovered = await sufferAll(loadRun, { eventStore, redis }, losing, proof.frozenMs)
    loadRun.isOver = true
    await Promise.all(callers)
    losing.end()
    const { answered } = await reading
    const shown = await checkShown(loadRun)
    await world.end()
    const faults = [...loadRun.faults, ...shown, ...(await checkStored(world, [loadRun]))]
    const acknowledged = loadRun.loadedGames.reduce((sum, loadedGame) => sum + loadedGame.acknowledged.length, 0)
    return { acknowledged, ...loadRun.counts, answersLost: losing.lost, read: answered, recovered, faults }
  } finally {
    await world.close()
    await Promise.all([eventStore.stop(), redis.stop()])
  }
}

/** Drops the answers of so many of the next appends, depending on how many the server took since the last check. */
function loseAnswers(eventStore: EventStoreServer, random: Random): Losing {
  let counted = eventStore.counts().appends
  const losing: Losing = { lost: 0, isOff: false, end: () => clearInterval(every) }
  const every = setInterval(() => {
    const { appends } = eventStore.counts()
    const lost = Array.from({ length: appends - counted }, () => random.chance(ANSWERS_LOST)).filter(Boolean).length
    counted = appends
    if (lost === 0 || losing.isOff) return
    eventStore.loseAnswers(lost)
    losing.lost += lost
  }, LOSE_EVERY_MS)
  return losing
}

async function sufferAll(
  loadRun: LoadRun,
  { eventStore, redis }: Servers,
  losing: Losing,
  frozenMs: number,
): Promise<Record<string, number>> {
  const recovered: Record<string, number> = {}
  const suffer = async (name: string, fault: () => unknown) => {
    const lostAtFault = losing.lost + LOST_BETWEEN
    while (losing.lost < lostAtFault) await pause(LOSE_EVERY_MS)
    await fault()
    losing.isOff = true
    eventStore.loseAnswers(0)
    recovered[name] = await untilReadBack(loadRun, name, performance.now())
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
