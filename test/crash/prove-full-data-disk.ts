// A data disk that fills up under load: each submission is answered in time, as recorded or with 503, or the process
// stops by itself. Reads continue, and SIGTERM ends it in time. With free space again, no acknowledged submission is
// lost, and a process that still runs records again without a restart. Needs root.

import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { isOfAStop } from '../front-door/http-client.ts'
import { freshStores } from '../servers/store-urls.ts'
import { checkEveryEntry, readBoard } from './ledger.ts'
import { type Submission, submitMuch } from './load.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'
import { differencesIn } from './stores-of.ts'

const DISK = '64m'
const ROOM = '512m'
const CALLERS = 8
/** Answers before the disk is filled, and answers after that until the load ends. */
const ANSWERS_BEFORE = 40
const ANSWERS_FULL = 200
const LEAVES_WITHIN_MS = 20_000
/** A caller on a full disk is answered within this time. */
const ANSWERED_WITHIN_MS = 5_000
/** The time limit of all load. */
const LOAD_WITHIN_MS = 40_000
const BLOCK_BYTES = 65_536

export interface FullDataDiskProof {
  readonly acknowledged: number
  readonly refused: number
  /** The longest time between two answers to one caller, who always has one call running. */
  readonly slowestMs: number
  /** How the process ended: by SIGTERM, or by itself. */
  readonly ended: 'SIGTERM' | 'itself'
  readonly faults: readonly string[]
}

export interface FullDisk {
  /** The free bytes when the disk has been filled. */
  readonly freeBytes: number
  /** Whether space is freed before the process is stopped. */
  readonly isRoomMade: boolean
}

export async function proveFullDataDisk(given: FullDisk): Promise<FullDataDiskProof> {
  const disk = await mkdtemp(join(tmpdir(), 'scorebook-data-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=700`, 'tmpfs', disk])
  const { storeUrls, end } = await freshStores()
  try {
    const world = await openProcessWorld({}, { dataDir: join(disk, 'data'), storeUrls })
    try {
      return await proveOn(world, disk, given)
    } finally {
      await world.close()
    }
  } finally {
    await end()
    execFileSync('umount', ['-l', disk])
    await rm(disk, { recursive: true, force: true })
  }
}

async function proveOn(world: ProcessWorld, disk: string, given: FullDisk): Promise<FullDataDiskProof> {
  const game = await makeGame(world)
  const board = await makeBoard(world, game, { unique: false })
  const players = [await makePlayer(world, game, 'A'), await makePlayer(world, game, 'B')]
  const target = { token: game.token, boards: [board], players }
  const path = `/api/lb/${board}/score/`
  const exit = watchExit(world)
  const { submissions, slowestMs, faults } = await submitOnto(world, disk, target, given.freeBytes)
  faults.push(...submissions.filter((one) => !isFair(one)).map(({ answer, failure }) => `${answer?.text ?? failure}`))
  const submit = async (name: string) => {
    const sent = { key: name, board, player: players[0] as string, score: '1' }
    const answer = await world.call('POST', path, { token: game.token, body: { score: '1', player: sent.player } })
    if (answer.status !== 201) faults.push(`${name}: a submission is ${answer.text}`)
    submissions.push({ ...sent, answer, failure: null })
  }
  const makeRoom = () => execFileSync('mount', ['-o', `remount,size=${ROOM}`, disk])
  const ended = exit.isOver() ? 'itself' : 'SIGTERM'
  if (ended === 'SIGTERM') {
    const read = await world.call('GET', path, { token: game.token })
    if (read.status !== 200 && read.body?.code !== 'behind') faults.push(`a read on a full disk is ${read.text}`)
    if (given.isRoomMade) {
      makeRoom()
      await submit('with room, not restarted')
    }
    const began = performance.now()
    world.signal('SIGTERM')
    await exit.over
    if (performance.now() - began > LEAVES_WITHIN_MS) faults.push('SIGTERM did not end it in time')
  }
  makeRoom()
  await world.begin()
  await submit('with room, restarted')
  const recorded = submissions.filter(({ answer }) => answer?.status === 201)
  faults.push(...checkEveryEntry(await readBoard(world, game.token, board), recorded))
  await world.end()
  faults.push(...(await differencesIn(world)))
  const refused = submissions.filter(({ answer }) => answer?.status === 503).length
  return { acknowledged: recorded.length, refused, slowestMs, ended, faults }
}

function watchExit(world: ProcessWorld) {
  let isOver = false
  const over = world.ended().then(() => {
    isOver = true
  })
  return { over, isOver: () => isOver }
}

/** Submits until the full disk has given enough answers, or the process has ended by itself. */
async function submitOnto(
  world: ProcessWorld,
  disk: string,
  target: Parameters<typeof submitMuch>[1],
  freeBytes: number,
): Promise<{ submissions: Submission[]; slowestMs: number; faults: string[] }> {
  let answers = 0
  let isOver = false
  let slowestMs = 0
  const lastMs = new Map<number, number>()
  const answered = (caller: number) => {
    answers++
    const nowMs = performance.now()
    slowestMs = Math.max(slowestMs, nowMs - (lastMs.get(caller) ?? nowMs))
    lastMs.set(caller, nowMs)
    if (answers === ANSWERS_BEFORE) fill(join(disk, 'ballast'), freeBytes)
    if (answers === ANSWERS_BEFORE + ANSWERS_FULL) isOver = true
  }
  const late = setTimeout(() => {
    isOver = true
  }, LOAD_WITHIN_MS)
  const load = { callers: CALLERS, name: 'full', random: () => 0.5, stopped: () => isOver, answered }
  const submissions = await submitMuch(world, target, load)
  clearTimeout(late)
  const faults = slowestMs > ANSWERED_WITHIN_MS ? [`a caller waited ${Math.round(slowestMs)} ms for an answer`] : []
  if (freeBytes === 0 && answers < ANSWERS_BEFORE + ANSWERS_FULL) faults.push(`only ${answers} answers came`)
  return { submissions, slowestMs, faults }
}

function isFair({ answer, failure }: Submission): boolean {
  if (answer === null) return failure !== null && isOfAStop(failure)
  return answer.status === 201 || answer.status === 503
}

/** Fills the disk except for so many bytes. */
function fill(ballast: string, freeBytes: number): void {
  const file = openSync(ballast, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(BLOCK_BYTES))
  } catch {
    // The disk is full.
  } finally {
    closeSync(file)
  }
  if (freeBytes > 0) execFileSync('truncate', ['-s', `-${freeBytes}`, ballast])
}
