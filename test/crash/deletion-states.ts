// Deletes a game or players on embedded stores, and starts a server on every state that the files of the folder go
// through meanwhile: on what a kill leaves there. Each start must end with nothing left of what was deleted, and no
// state may say more than is true.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { MakeDeletion } from './deletions.ts'
import { filesContaining } from './files-containing.ts'
import { openFolderWorld } from './folder-world.ts'
import { watchStates } from './states-of-folder.ts'

/** In every text that is deleted. */
export const MARKER = 'Qzdeleted'
/** In texts that stay. */
export const STAYS = 'Qzstays'
/** Ahead of the time of the request: by then every process may begin. */
const LATER_MS = 60_000

export interface StatesProof {
  readonly states: number
  readonly started: number
  /** One line for each state with something left, or something said that is not. */
  readonly faults: readonly string[]
}

/** `maxStarts`: of the states, spread evenly. */
export async function proveStates(make: MakeDeletion, maxStarts = Number.POSITIVE_INFINITY): Promise<StatesProof> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-states-'))
  try {
    const [dataDir, copies] = [join(folder, 'data'), join(folder, 'copies')]
    for (const one of [dataDir, copies]) await mkdir(one)
    const world = await openFolderWorld(dataDir)
    const deletion = await make(world, MARKER)
    await make(world, STAYS)
    const { nowMs } = world.clock
    const watched = watchStates(dataDir, copies)
    await deletion.ask(world)
    world.clock.nowMs = nowMs + LATER_MS
    await deletion.settled(world)
    await world.close()
    const states = watched.end()
    const faults = [...leftIn(dataDir, 'without a kill')]
    const step = Math.max(1, states.length / maxStarts)
    let started = 0
    for (const [n, state] of states.entries()) {
      const at = `state ${n + 1} of ${states.length}`
      const { saidBy } = deletion
      if (saidBy !== null && isIn(state, saidBy) && isIn(state, MARKER)) faults.push(`${at} says ${saidBy}`)
      if (Math.floor(n / step) === Math.floor((n - 1) / step)) continue
      started += 1
      const later = await openFolderWorld(state, nowMs + 2 * LATER_MS)
      try {
        await deletion.ask(later)
        later.clock.nowMs = nowMs + 3 * LATER_MS
        await deletion.settled(later)
      } finally {
        await later.close()
      }
      faults.push(...leftIn(state, at))
      await rm(state, { recursive: true })
    }
    return { states: states.length, started, faults }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const isIn = (folder: string, text: string): boolean => filesContaining(folder, text).length > 0

function leftIn(folder: string, at: string): string[] {
  const left = filesContaining(folder, MARKER).map((file) => relative(folder, file))
  const stays = isIn(folder, STAYS) ? [] : [`${at}: the texts of others are gone`]
  return left.length === 0 ? stays : [...stays, `${at}: left in ${left.join(', ')}`]
}
