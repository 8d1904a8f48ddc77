// Kills a process in each state of its files while it does everything once, and starts a server on what is left: once
// the server has settled, no store has a part of a fact that another one lacks.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeGameToDelete } from '../front-door/game-to-delete.ts'
import { makeTextFixture, writeEverything } from '../front-door/personal-texts.ts'
import { pause } from '../until.ts'
import { openFolderWorld } from './folder-world.ts'
import { watchStates } from './states-of-folder.ts'
import { twoStoreFaults } from './two-stores.ts'

/** By then secrets that no claim names, uploads and bytes of no file are swept. */
const LATER_MS = 26 * 60 * 60_000
/** How long a server may need until it has settled; it is stopped each time to look. */
const PATIENCE_MS = [1_500, 5_000, 10_000]

export interface TwoStoresProof {
  readonly states: number
  readonly started: number
  readonly faults: readonly string[]
}

/** `maxStarts`: of the states, spread evenly. */
export async function proveTwoStores(maxStarts = Number.POSITIVE_INFINITY): Promise<TwoStoresProof> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-two-stores-'))
  try {
    const [dataDir, copies] = [join(folder, 'data'), join(folder, 'copies')]
    for (const one of [dataDir, copies]) await mkdir(one)
    const world = await openFolderWorld(dataDir)
    const { nowMs } = world.clock
    const watched = watchStates(dataDir, copies)
    await makeGameToDelete(world, 'Qztwo')
    await writeEverything(await makeTextFixture(world), 'Qzstores')
    await world.close()
    const states = watched.end()
    const step = Math.max(1, states.length / maxStarts)
    const chosen = states.filter((_, n) => Math.floor(n / step) !== Math.floor((n - 1) / step))
    const faults: string[] = []
    for (const state of chosen) {
      const left = await leftAfterStart(state, nowMs)
      faults.push(...left.map((fault) => `state ${states.indexOf(state) + 1} of ${states.length}: ${fault}`))
      await rm(state, { recursive: true })
    }
    return { states: states.length, started: chosen.length, faults }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function leftAfterStart(state: string, nowMs: number): Promise<string[]> {
  let faults: string[] = []
  for (const patienceMs of PATIENCE_MS) {
    // File times are real, so that bytes of no file are old by this clock.
    const world = await openFolderWorld(state, nowMs + LATER_MS)
    await pause(patienceMs)
    await world.close()
    faults = await twoStoreFaults(state)
    if (faults.length === 0) return []
  }
  return faults
}
