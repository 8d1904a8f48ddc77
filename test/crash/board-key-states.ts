// What a kill leaves of calls that give, change and remove keys of leaderboards: a server starts on the state after
// each append to the log, and every key can be had afterwards.

import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MadeGame, makeBoard, makeGame } from '../front-door/game-fixtures.ts'
import type { Body } from '../front-door/http-client.ts'
import { must, tokenOf, type World } from '../front-door/world.ts'
import { pause } from '../until.ts'
import { type FolderWorld, openFolderWorld } from './folder-world.ts'
import { watchStates } from './states-of-folder.ts'
import { LATER_MS, twoStoreFaults } from './two-stores.ts'

const KEYS = ['one', 'two', 'three'] as const
/** How long a started server may need until nothing blocks a key. */
const SETTLED_WITHIN_MS = 10_000
const RETRY_EVERY_MS = 50

/** Keys are given with a new leaderboard, changed, moved to another one, removed, and released by archiving. */
async function changeKeys(world: World, game: MadeGame): Promise<void> {
  const call = async (method: string, board: string, body?: object) =>
    must(await world.call(method, `/api/lb/${board}/`, { token: game.token, ...(body && { body }) }), 200)
  const a = await makeBoard(world, game, { key: 'one' })
  const b = await makeBoard(world, game)
  await call('PUT', a, { key: 'two', name: 'Renamed' })
  await call('PUT', b, { key: 'one' })
  await call('PUT', b, { key: 'three' })
  await call('PUT', a, { key: null })
  const c = await makeBoard(world, game, { key: 'two' })
  await call('DELETE', c)
  await call('DELETE', b)
}

export interface BoardKeyStates {
  /** States of the log, on each of which a server was started. */
  readonly states: number
  readonly faults: readonly string[]
}

export async function proveBoardKeys(): Promise<BoardKeyStates> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-board-keys-'))
  try {
    const [dataDir, copies] = [join(folder, 'data'), join(folder, 'copies')]
    for (const one of [dataDir, copies]) await mkdir(one)
    const world = await openFolderWorld(dataDir)
    const game = await makeGame(world)
    const { nowMs } = world.clock
    const watched = watchStates(dataDir, copies)
    let copied: readonly string[] = []
    try {
      await changeKeys(world, game)
    } finally {
      copied = watched.end()
      await world.close()
    }
    const states = await ofLog(copied)
    const faults: string[] = []
    for (const [n, state] of states.entries()) {
      const left = await leftOf(state, game, nowMs + LATER_MS)
      faults.push(...left.map((fault) => `state ${n + 1} of ${states.length}: ${fault}`))
      await rm(state, { recursive: true })
    }
    return { states: states.length, faults }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Those in which the log has changed. */
async function ofLog(states: readonly string[]): Promise<string[]> {
  const found: string[] = []
  let before = ''
  for (const state of states) {
    const files = ['log.sqlite', 'log.sqlite-wal'].map((name) => stat(join(state, name), { bigint: true }))
    const stamp = (await Promise.all(files)).map(({ size, mtimeNs }) => `${size} ${mtimeNs}`).join()
    if (stamp !== before) found.push(state)
    before = stamp
  }
  return found
}

async function leftOf(state: string, game: MadeGame, nowMs: number): Promise<string[]> {
  const world = await openFolderWorld(state, nowMs)
  const faults = await blockedKeys(world, game)
  await world.close()
  return [...faults, ...(await twoStoreFaults(state))]
}

/** Gives each key up where a leaderboard has it, and makes another leaderboard with it. */
async function blockedKeys(world: FolderWorld, game: MadeGame): Promise<string[]> {
  const token = await tokenOf(world, game.server)
  const at = `/api/gm/${game.id}/lb/`
  const faults: string[] = []
  for (const key of KEYS) {
    const { leaderboards }: Body = must(await world.call('GET', at, { token }), 200)
    const holders: string[] = leaderboards.flatMap((one: Body) => (one.key === key ? [one.id] : []))
    if (holders.length > 1) faults.push(`${key} is the key of ${holders.join(' and ')}`)
    for (const id of holders) must(await world.call('PUT', `/api/lb/${id}/`, { token, body: { key: null } }), 200)
    const make = () => world.call('POST', at, { token, body: { name: `Next ${key}`, ordering: 'desc', key } })
    let made = await make()
    for (const startedMs = performance.now(); made.status === 409; made = await make()) {
      if (performance.now() - startedMs > SETTLED_WITHIN_MS) break
      await pause(RETRY_EVERY_MS)
    }
    if (made.status !== 201) faults.push(`${key} is blocked: ${made.text}`)
  }
  return faults
}
