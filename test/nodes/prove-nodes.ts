// Two API nodes and two projectors under load, while each of them and each server fails in turn. Afterwards nothing is
// lost, duplicated or ranked wrongly, and live views equal rebuilt ones.

import { type LoadRun, openLoadRun, submitUntilOver } from '../crash/load-run.ts'
import { checkShown, checkStored } from '../crash/load-run-check.ts'
import { readUntilOver, untilReadBack } from '../crash/load-run-reads.ts'
import { Random } from '../random.ts'
import { pause } from '../until.ts'
import { FAULTS, type Fault } from './faults.ts'
import { openSideBySide } from './side-by-side.ts'

/** Enough that both projectors have some of them in any distribution of partitions. */
const GAMES = 6
const READERS = 3
/** Pause between two faults, so that each one hits working nodes. */
const CALM_MS = 500

export interface NodesProof {
  readonly acknowledged: number
  /** Calls that were not acknowledged (503, or the node ended); each was sent again. */
  readonly sentAgain: number
  /** Calls to a node that ended before it answered. */
  readonly unanswered: number
  /** Acknowledged calls that were sent again and got the same answer. */
  readonly repeated: number
  /** The longest time until one call got any answer. */
  readonly longestMs: number
  /** Reads that were answered; each was compared with what had been acknowledged before it. */
  readonly read: number
  /** Fault -> for each occurrence, milliseconds until a new submission to every game could be read from every node. */
  readonly recovered: Readonly<Partial<Record<Fault, readonly number[]>>>
  /** Milliseconds from each silence of a projector until others owned all of its partitions. */
  readonly moved: readonly number[]
  /** Milliseconds each process took to stop under load. */
  readonly stopped: readonly number[]
  /** One line for each thing that was lost, duplicated or wrong. */
  readonly faults: readonly string[]
}

/** Runs each fault of the list in a shuffled order, repeatedly until the time is over. */
export async function proveNodes(proof: {
  readonly seed: number
  /** Each fault runs at least once. */
  readonly forMs: number
  readonly faults: readonly Fault[]
  readonly callers: number
  /** Milliseconds that each caller waits between two submissions, and each reader between two reads. */
  readonly paceMs: number
  onProgress?(line: string): void
}): Promise<NodesProof> {
  const random = new Random(proof.seed)
  const nodes = await openSideBySide({ apis: 2, projectors: 2 })
  const recovered: Partial<Record<Fault, number[]>> = {}
  const moved: number[] = []
  const stopped: number[] = []
  try {
    const loadRun = await openLoadRun(nodes.apis, { games: GAMES, paceMs: proof.paceMs, random })
    const callers = Array.from({ length: proof.callers }, (_, caller) => submitUntilOver(loadRun, `nodes-${caller}`))
    const readers = Array.from({ length: READERS }, () => readUntilOver(loadRun))
    // A caller that fails ends the run at once instead of at its end.
    const failed = Promise.all([...callers, ...readers])
    failed.catch(() => {})
    const suffering = (async () => {
      const startedMs = performance.now()
      do {
        for (const fault of random.shuffled(proof.faults)) {
          await pause(CALM_MS)
          const times: number[] = []
          await FAULTS[fault](nodes, random, {
            back: async (fromMs) => void times.push(await untilReadBack(loadRun, fault, fromMs)),
            moved: (ms) => moved.push(ms),
            stopped: ({ code, ms }) => {
              if (code !== 0) loadRun.faults.push(`a process that was signalled to stop exited with ${code}`)
              stopped.push(ms)
            },
          })
          recovered[fault] = [...(recovered[fault] ?? []), ...times]
          proof.onProgress?.(`${fault}: read back after ${times.join(', ')} ms; ${count(loadRun)} acknowledged`)
        }
      } while (performance.now() - startedMs < proof.forMs)
    })()
    await Promise.race([suffering, failed])
    loadRun.isOver = true
    const read = (await Promise.all(readers)).reduce((sum, { answered }) => sum + answered, 0)
    await Promise.all(callers)
    await untilReadBack(loadRun, 'all', performance.now())
    const shown = await checkShown(loadRun)
    const exits = await nodes.stopAll()
    const faults = [...loadRun.faults, ...shown, ...exits, ...(await checkStored(nodes, [loadRun]))]
    return { acknowledged: count(loadRun), ...loadRun.counts, read, recovered, moved, stopped, faults }
  } finally {
    await nodes.close()
  }
}

const count = ({ loadedGames }: LoadRun): number =>
  loadedGames.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
