// Soak test of several nodes, for `npm run proof:nodes`.

import { makeGame } from '../front-door/game-fixtures.ts'
import { FAULTS, type Fault } from './faults.ts'
import { type NodesProof, proveNodes } from './prove-nodes.ts'
import { RACERS, raceForChallenge, raceForSubmission, raceForTicket, untilBack } from './racers.ts'
import { type Limit, proveRates, rateLimits } from './rates.ts'
import { proveReadsAfterWrites, suspendProjectors } from './read-after-write.ts'
import { openSideBySide, type SideBySide } from './side-by-side.ts'
import { proveUpgrade } from './upgrade.ts'

const UNDER_FAULTS_MS = 600_000
const READS = 10_000
/** How often all projectors are suspended during reads after writes. */
const HOLDS = 10
const RACES = 25
const LIMIT: Limit = { perSecond: 20, burst: 40 }
const LIMITED_MS = 30_000
const MOVED_MS = 10_000
/** How long the old version of a view is kept, plus a margin. */
const DROPPED_MS = 100_000

interface AllNodesProof {
  /** What was tested, one line for each part. */
  readonly tried: readonly string[]
  readonly lost: readonly string[]
}

export async function proveAllOfNodes(seed: number, onProgress: (line: string) => void): Promise<AllNodesProof> {
  const tried: string[] = []
  const lost: string[] = []
  const note = (line: string, faults: readonly string[]) => {
    onProgress(`${line}; ${faults.length} wrong`)
    tried.push(line)
    lost.push(...faults)
  }
  const faults = Object.keys(FAULTS) as Fault[]
  const proof = await proveNodes({ seed, forMs: UNDER_FAULTS_MS, faults, callers: 8, paceMs: 20, onProgress })
  const late = proof.moved.filter((ms) => ms > MOVED_MS).map((ms) => `partitions moved after ${ms} ms`)
  note(underFaults(proof), [...proof.faults, ...late])
  const nodes = await openSideBySide({ apis: 2, projectors: 2 })
  try {
    await proveOnTwo(nodes, seed, note)
  } finally {
    await nodes.close()
  }
  const {
    acknowledged,
    read,
    builtMs,
    leftMs,
    faults: differing,
  } = await proveUpgrade({ seed, untilDropped: DROPPED_MS })
  const took = `new views built in ${builtMs} ms, old ones dropped ${leftMs} ms after their last user`
  note(`a rolling upgrade: ${acknowledged} acknowledged, ${read} reads compared, ${took}`, differing)
  return { tried, lost }
}

async function proveOnTwo(
  nodes: SideBySide,
  seed: number,
  note: (line: string, faults: readonly string[]) => void,
): Promise<void> {
  const [a, b] = nodes.apis.map(({ world }) => world)
  if (a === undefined || b === undefined) throw new Error('there are not two nodes')
  const { elsewhere, own, behind, stale } = await proveReadsAfterWrites([a, b], {
    reads: READS,
    writers: 8,
    seed,
    meanwhile: () => suspendProjectors(nodes, HOLDS),
  })
  note(`${elsewhere} reads on another node after a write, ${own} on the same one; ${behind} answered behind`, stale)

  const game = await makeGame(a)
  for (const meanwhile of [null, () => nodes.redis.restart()]) {
    const wrong: string[] = []
    let won = 0
    for (let n = 0; n < RACES; n++) {
      for (const race of [raceForChallenge, raceForTicket, raceForSubmission]) {
        await Promise.all([a, b].map((world) => untilBack(world, game)))
        const { winners, faults } = await race([a, b], game, meanwhile)
        won += winners
        wrong.push(...faults)
        if (meanwhile === null && winners !== 1) wrong.push(`a race without faults had ${winners} winners`)
      }
    }
    const when = meanwhile === null ? 'without faults' : 'with Redis restarted in the middle'
    note(`${3 * RACES} races of ${RACERS} over two nodes ${when}: ${won} won`, wrong)
  }

  const env = { RATE_LIMITS: rateLimits(LIMIT) }
  const limited = [await nodes.startApi(env), await nodes.startApi(env)].map(({ world }) => world)
  const { sent, admitted, timesTheLimit, most, due, faults } = await proveRates(limited, LIMIT, LIMITED_MS)
  const isRight = admitted <= most && admitted >= due * 0.99 && timesTheLimit >= 10
  const line = `one key, ${sent} calls over two nodes (${timesTheLimit.toFixed(0)} times its limit): ${admitted} admitted`
  note(`${line} of ${due} to ${most}`, isRight ? faults : [...faults, 'that is not what the limit says'])
}

function underFaults({
  acknowledged,
  sentAgain,
  repeated,
  read,
  longestMs,
  moved,
  stopped,
  recovered,
}: NodesProof): string {
  const times = Object.entries(recovered).map(([fault, ms]) => `    ${fault}: ${ms.length} times, ${spread(ms)}`)
  const calls = `${acknowledged} submissions acknowledged, ${sentAgain} calls sent again, ${repeated} repeated`
  return [
    `two API nodes and two projectors under faults: ${calls}, ${read} reads compared`,
    `    longest call ${longestMs} ms; partitions moved in ${spread(moved)}; processes stopped in ${spread(stopped)}`,
    '    milliseconds until what was written was read back from every node, after',
    ...times,
  ].join('\n')
}

function spread(ms: readonly number[]): string {
  const sorted = ms.toSorted((one, other) => one - other)
  return `${sorted[0]} to ${sorted.at(-1)} ms, half of them within ${sorted[Math.floor(sorted.length / 2)]}`
}
