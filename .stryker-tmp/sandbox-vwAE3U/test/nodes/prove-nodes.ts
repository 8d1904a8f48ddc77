// Two nodes that answer and two projectors under load, while each of them and the servers beneath fail in turn.
// Afterwards nothing is lost, doubled or ranked wrongly, and what is live equals what is rebuilt.

import { type Stage, setStage, submitUntilOver } from '../crash/stage.ts'
import { checkKept, checkShown } from '../crash/stage-check.ts'
import { readUntilOver, untilReadBack } from '../crash/stage-reads.ts'
import { Random } from '../random.ts'
import { pause } from '../until.ts'
import { FAULTS, type Fault } from './faults.ts'
import { openSideBySide } from './side-by-side.ts'

/** So many that both projectors have some, whichever partitions they hold. */
const GAMES = 6
const CALLERS = 8
const READERS = 3
/** Between two faults, so that each hits nodes that work. */
const CALM_MS = 500

export interface NodesProof {
  readonly acknowledged: number
  /** Calls not acknowledged (503, or a node that ended): each was sent again. */
  readonly sentAgain: number
  /** Calls to a node that ended before it answered. */
  readonly unanswered: number
  /** Acknowledged calls that were sent again, and answered as before. */
  readonly repeated: number
  /** Longest that one call took to be answered with anything. */
  readonly longestMs: number
  /** Reads that were answered, each compared with what had been acknowledged before it. */
  readonly read: number
  /**
   * Fault -> for each time, milliseconds from it until a new submission to every game was read back from every node.
   */
  readonly recovered: Readonly<Partial<Record<Fault, readonly number[]>>>
  /** Milliseconds from each silence of a projector until others held all that it had held. */
  readonly moved: readonly number[]
  /** Milliseconds each process took to stop under load. */
  readonly stopped: readonly number[]
  /** One line for each thing lost, doubled or wrong. */
  readonly faults: readonly string[]
}

/** Each fault of the list in turn, in a shuffled order, and over again until the time is over. */
export async function proveNodes(proof: {
  readonly seed: number
  /** At least each of the faults once. */
  readonly forMs: number
  readonly faults: readonly Fault[]
  /** Milliseconds that each caller waits between two submissions. */
  readonly paceMs: number
  told?(line: string): void
}): Promise<NodesProof> {
  const random = new Random(proof.seed)
  const nodes = await openSideBySide({ apis: 2, projectors: 2 })
  const recovered: Partial<Record<Fault, number[]>> = {}
  const moved: number[] = []
  const stopped: number[] = []
  try {
    const stage = await setStage(nodes.apis, { games: GAMES, paceMs: proof.paceMs, random })
    const callers = Array.from({ length: CALLERS }, (_, caller) => submitUntilOver(stage, `nodes-${caller}`))
    const readers = Array.from({ length: READERS }, () => readUntilOver(stage))
    // A caller who fails ends the run, which would else wait for it at the end only.
    const failed = Promise.all([...callers, ...readers])
    failed.catch(() => {})
    const suffering = (async () => {
      const begun = performance.now()
      do {
        for (const fault of random.shuffled(proof.faults)) {
          await pause(CALM_MS)
          const times: number[] = []
          await FAULTS[fault](nodes, random, {
            back: async (fromMs) => void times.push(await untilReadBack(stage, fault, fromMs)),
            moved: (ms) => moved.push(ms),
            stopped: ({ code, ms }) => {
              if (code !== 0) stage.faults.push(`a process told to stop exited with ${code}`)
              stopped.push(ms)
            },
          })
          recovered[fault] = [...(recovered[fault] ?? []), ...times]
          proof.told?.(`${fault}: read back after ${times.join(', ')} ms; ${count(stage)} acknowledged`)
        }
      } while (performance.now() - begun < proof.forMs)
    })()
    await Promise.race([suffering, failed])
    stage.isOver = true
    const read = (await Promise.all(readers)).reduce((sum, { answered }) => sum + answered, 0)
    await Promise.all(callers)
    await untilReadBack(stage, 'all', performance.now())
    const shown = await checkShown(stage)
    const exits = await nodes.stopAll()
    const faults = [...stage.faults, ...shown, ...exits, ...(await checkKept(nodes, [stage]))]
    return { acknowledged: count(stage), ...stage.told, read, recovered, moved, stopped, faults }
  } finally {
    await nodes.close()
  }
}

const count = ({ scenes }: Stage): number => scenes.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
