// After it is over: what stands on the boards, what the log holds, and the views and rankings against rebuilt ones.

import type { World } from '../front-door/world.ts'
import { membersOf, rebuild, rebuiltDifferences } from '../simulation/oracle/rebuilt.ts'
import { checkBests, checkEveryEntry, readBoard } from './ledger.ts'
import { checkHistory } from './prove-kills.ts'
import { newestSeen, type Scene, type Stage } from './stage.ts'
import { type StoresOf, withStores } from './stores-of.ts'

/** Every board, as every node shows it, against what was submitted. One line for each fault. */
export async function checkShown({ nodes, scenes }: Stage): Promise<string[]> {
  const faults: string[] = []
  for (const { world } of nodes) for (const scene of scenes) faults.push(...(await checkScene(world, scene)))
  return faults
}

async function checkScene(world: World, scene: Scene): Promise<string[]> {
  const { token, boards, submissions } = scene
  const [all, unique] = boards
  const on = (board: string) => submissions.filter((one) => one.board === board)
  return [
    ...checkEveryEntry(await readBoard(world, token, all, newestSeen(scene)), on(all)),
    ...checkBests(await readBoard(world, token, unique, newestSeen(scene)), on(unique)),
  ]
}

/**
 * The stores of nodes that have all ended: each submission is in the log once, and what is live equals what is rebuilt.
 */
export function checkKept(stores: StoresOf, stages: readonly Stage[]): Promise<string[]> {
  const rounds = stages.flatMap(({ scenes }) => scenes)
  return withStores(stores, async ({ log, views, rankings }) => {
    const rebuilt = await rebuild(log)
    const faults = [...(await checkHistory(log, rounds)), ...(await rebuiltDifferences(views, log, rebuilt))]
    for (const key of rebuilt.keys) {
      const [live, due] = [await membersOf(rankings, key), await membersOf(rebuilt.rankings, key)]
      if (live.join() !== due.join())
        faults.push(`ranking ${key.key} has ${live.length} members and should have ${due.length}`)
    }
    return faults
  })
}
