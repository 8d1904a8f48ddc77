// Random boards against the model, in numbers: a pool of histories through the handlers, the first of them also wholly
// over HTTP. A difference is replayed and shrunk by fast-check under its seed and path.

import fc from 'fast-check'
import type { WindowsOptions } from '../../queries/windows/windows.ts'
import { keyToken, makeGame } from '../front-door/scenery.ts'
import { openWorld } from '../front-door/world.ts'
import { httpDoor, openDirectService } from './doors.ts'
import { type History, history } from './histories.ts'
import { type Difference, play } from './play.ts'

/** Histories played at one time: they share the log's fsyncs. */
const AT_A_TIME = 48
/** A service is thrown away after this many boards, so that the cost of one does not grow with their number. */
const BOARDS_A_SERVICE = 2_000

export interface ReadsProof {
  readonly tried: number
  readonly differences: number
  readonly seed: number
  /** The first difference, shrunk; null where there is none. */
  readonly report: string | null
}

/** `boards` random boards through the handlers of the routes; with `windows`, those are answered from an index. */
export async function proveReads({ boards, seed, windows }: Asked): Promise<ReadsProof> {
  let differences = 0
  let report: string | null = null
  for (let done = 0; done < boards; done += BOARDS_A_SERVICE) {
    const count = Math.min(BOARDS_A_SERVICE, boards - done)
    const slice = { count, seed: seed + done, windows }
    const found = await playDirectly(slice)
    differences += found.length
    if (report === null && found[0] !== undefined) report = await reportOf(slice, found[0])
  }
  return { tried: boards, differences, seed, report }
}

/** The same over HTTP, one after another. */
export async function proveReadsOverHttp({ boards, seed }: { boards: number; seed: number }): Promise<ReadsProof> {
  const world = await openWorld()
  try {
    const game = await makeGame(world)
    const token = await keyToken(world, game)
    // Histories are in one range of time; the token must not expire on the way.
    let differences = 0
    let report: string | null = null
    for (const [index, one] of fc.sample(history, { numRuns: boards, seed }).entries()) {
      const difference = await play(httpDoor(world, game, token), one)
      if (difference === null) continue
      differences++
      report ??= told(seed, index, one, difference)
    }
    return { tried: boards, differences, seed, report }
  } finally {
    await world.close()
  }
}

interface Asked {
  readonly boards: number
  readonly seed: number
  readonly windows?: WindowsOptions | undefined
}

interface Slice {
  readonly count: number
  readonly seed: number
  readonly windows: WindowsOptions | undefined
}

/** A history whose answers were not the model's. */
interface Differing {
  readonly index: number
  readonly one: History
  readonly difference: Difference
}

async function playDirectly({ count, seed, windows }: Slice) {
  const service = await openDirectService(windows)
  const waiting = [...fc.sample(history, { numRuns: count, seed }).entries()]
  const found: Differing[] = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const difference = await play(service.open(), next[1])
      if (difference !== null) found.push({ index: next[0], one: next[1], difference })
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  await service.close()
  return found.sort((a, b) => a.index - b.index)
}

/** Shrunk where it differs when it is played alone; else as it was. */
export async function reportOf({ seed, windows }: Omit<Slice, 'count'>, differing: Differing): Promise<string> {
  const { index, one: played, difference: first } = differing
  const service = await openDirectService(windows)
  const property = fc.asyncProperty(history, async (one) => {
    const difference = await play(service.open(), one)
    if (difference !== null) throw new Error(JSON.stringify(difference, null, 1))
  })
  const details = await fc.check(property, {
    seed,
    path: String(index),
    numRuns: index + 1,
    interruptAfterTimeLimit: 20_000,
  })
  await service.close()
  const [counterexample] = details.counterexample ?? []
  if (counterexample === undefined) return `differed beside others, not alone: ${told(seed, index, played, first)}`
  const said = details.errorInstance instanceof Error ? details.errorInstance.message : ''
  const path = `seed ${seed}, path ${details.counterexamplePath}`
  return `${path}: ${said}\n${JSON.stringify(counterexample, null, 1)}`
}

function told(seed: number, index: number, one: History, difference: Difference): string {
  return `seed ${seed}, board ${index}: ${JSON.stringify({ difference, history: one }, null, 1)}`
}
