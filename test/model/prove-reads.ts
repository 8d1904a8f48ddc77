// Random boards against the model, in large numbers: concurrent histories through the route handlers, and some over
// HTTP. fast-check replays and shrinks a difference by its seed and path.

import fc from 'fast-check'
import type { WindowsOptions } from '../../queries/windows/windows.ts'
import { keyToken, makeGame } from '../front-door/game-fixtures.ts'
import { openWorld } from '../front-door/world.ts'
import { httpApi, openDirectService } from './api-clients.ts'
import { type History, history } from './histories.ts'
import { type Difference, play } from './play.ts'

/** Concurrent histories share the fsyncs of the log. */
const CONCURRENT_HISTORIES = 48
/** A service is replaced after this many boards, so that its size does not slow later ones. */
const BOARDS_PER_SERVICE = 2_000

export interface ReadsProof {
  readonly tried: number
  readonly differences: number
  readonly seed: number
  /** The first difference, shrunk; null if there is none. */
  readonly report: string | null
}

/** Plays `boards` random boards through the route handlers; with `windows`, windows are answered from an index. */
export async function proveReads({ boards, seed, windows }: ReadsOptions): Promise<ReadsProof> {
  let differences = 0
  let report: string | null = null
  for (let done = 0; done < boards; done += BOARDS_PER_SERVICE) {
    const count = Math.min(BOARDS_PER_SERVICE, boards - done)
    const batch = { count, seed: seed + done, windows }
    const found = await playDirectly(batch)
    differences += found.length
    if (report === null && found[0] !== undefined) report = await reportOf(batch, found[0])
  }
  return { tried: boards, differences, seed, report }
}

/** The same over HTTP, one after another. */
export async function proveReadsOverHttp({ boards, seed }: { boards: number; seed: number }): Promise<ReadsProof> {
  // Each history begins at the same time, long before the server's first events.
  const world = await openWorld({ acceptsClock: true })
  try {
    const game = await makeGame(world)
    const token = await keyToken(world, game)
    // All histories are within one time range, so the token does not expire.
    let differences = 0
    let report: string | null = null
    for (const [index, one] of fc.sample(history, { numRuns: boards, seed }).entries()) {
      const difference = await play(httpApi(world, game, token), one)
      if (difference === null) continue
      differences++
      report ??= differenceText(seed, index, one, difference)
    }
    return { tried: boards, differences, seed, report }
  } finally {
    await world.close()
  }
}

interface ReadsOptions {
  readonly boards: number
  readonly seed: number
  readonly windows?: WindowsOptions | undefined
}

interface Batch {
  readonly count: number
  readonly seed: number
  readonly windows: WindowsOptions | undefined
}

/** A history with an answer that differs from the model. */
interface Differing {
  readonly index: number
  readonly one: History
  readonly difference: Difference
}

async function playDirectly({ count, seed, windows }: Batch) {
  const service = await openDirectService(windows)
  const waiting = [...fc.sample(history, { numRuns: count, seed }).entries()]
  const found: Differing[] = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const difference = await play(service.open(), next[1])
      if (difference !== null) found.push({ index: next[0], one: next[1], difference })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_HISTORIES }, work))
  await service.close()
  return found.sort((a, b) => a.index - b.index)
}

/** Shrunk if it differs when it is played alone; otherwise unchanged. */
export async function reportOf({ seed, windows }: Omit<Batch, 'count'>, differing: Differing): Promise<string> {
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
  if (counterexample === undefined)
    return `differed beside others, not alone: ${differenceText(seed, index, played, first)}`
  const failure = details.errorInstance instanceof Error ? details.errorInstance.message : ''
  const path = `seed ${seed}, path ${details.counterexamplePath}`
  return `${path}: ${failure}\n${JSON.stringify(counterexample, null, 1)}`
}

function differenceText(seed: number, index: number, one: History, difference: Difference): string {
  return `seed ${seed}, board ${index}: ${JSON.stringify({ difference, history: one }, null, 1)}`
}
