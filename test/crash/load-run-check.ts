// After the load: compares the boards, the log, and the views and rankings with the submissions and with rebuilt ones.

import type { World } from '../front-door/world.ts'
import { rebuild, rebuiltDifferences, sortKeysOf } from '../simulation/oracle/rebuilt.ts'
import { checkBests, checkEveryEntry, checkTotals, readBoard } from './ledger.ts'
import { type LoadedGame, type LoadRun, newestToken } from './load-run.ts'
import { checkHistory } from './prove-kills.ts'
import { type StoresOf, withStores } from './stores-of.ts'

/** Compares every board, as every node answers it, with the submissions. One line per fault. */
export async function checkShown({ nodes, loadedGames }: LoadRun): Promise<string[]> {
  const faults: string[] = []
  for (const { world } of nodes)
    for (const loadedGame of loadedGames) faults.push(...(await checkLoadedGame(world, loadedGame)))
  return faults
}

async function checkLoadedGame(world: World, loadedGame: LoadedGame): Promise<string[]> {
  const { token, boards, submissions } = loadedGame
  const [all, unique, total] = boards
  const on = (board: string) => submissions.filter((one) => one.board === board)
  return [
    ...checkEveryEntry(await readBoard(world, token, all, newestToken(loadedGame)), on(all)),
    ...checkBests(await readBoard(world, token, unique, newestToken(loadedGame)), on(unique)),
    ...checkTotals(await readBoard(world, token, total, newestToken(loadedGame)), on(total)),
  ]
}

/**
 * For the stores of stopped nodes: each submission is in the log once, and live views equal rebuilt ones.
 */
export function checkStored(stores: StoresOf, loadRuns: readonly LoadRun[]): Promise<string[]> {
  const loadedGames = loadRuns.flatMap(({ loadedGames }) => loadedGames)
  return withStores(stores, async ({ log, views, rankings }) => {
    const rebuilt = await rebuild(log)
    const faults = [...(await checkHistory(log, loadedGames)), ...(await rebuiltDifferences(views, log, rebuilt))]
    for (const key of rebuilt.keys) {
      const [live, due] = [await sortKeysOf(rankings, key), await sortKeysOf(rebuilt.rankings, key)]
      if (live.join() !== due.join())
        faults.push(`ranking ${key.key} has ${live.length} sort keys and should have ${due.length}`)
    }
    return faults
  })
}
