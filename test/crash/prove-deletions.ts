// Kills a server at random moments of both deletions, repeatedly, on one installation: each next start completes the
// deletion, nothing of it is left in any store, and the log says that it is complete only when it is.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storedWith } from '../front-door/stored-texts.ts'
import { tokenOf } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { freshStores, ON_SERVERS } from '../servers/store-urls.ts'
import { pause } from '../until.ts'
import { builtProgram } from './build.ts'
import { type Deletion, deletionOfGame, deletionOfPlayers, type MakeDeletion } from './deletions.ts'
import { filesContaining } from './files-containing.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'

/** When the removal of a game begins, in ms after the request; then it takes some hundred. */
const REMOVAL_MS = ON_SERVERS ? 14_000 : 3_000
/** How often a kill falls into the removal. */
const DURING_REMOVAL = 0.7
/** How often the next process is killed, too. */
const AGAIN = 0.4

export interface DeletionsProof {
  readonly kills: number
  readonly deletions: number
  /** Deletions that were incomplete at a kill. */
  readonly interrupted: number
  /** One line for each deletion with something left, or said too early. */
  readonly faults: readonly string[]
}

interface Kind {
  readonly name: string
  readonly make: MakeDeletion
  /** Milliseconds from the request to the kill. */
  killAfterMs(random: Random): number
}

const GAME: Kind = {
  name: 'game',
  make: deletionOfGame,
  killAfterMs: (random) => (random.chance(DURING_REMOVAL) ? REMOVAL_MS + random.below(500) : random.below(REMOVAL_MS)),
}

const PLAYERS: Kind = { name: 'players', make: deletionOfPlayers, killAfterMs: (random) => random.below(2_500) }

/** `kills` of each deletion. */
export async function proveDeletions(proof: {
  readonly kills: number
  readonly seed: number
  onProgress?(line: string): void
}): Promise<DeletionsProof> {
  const random = new Random(proof.seed)
  const { storeUrls, end } = await freshStores()
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-deletions-'))
  const env = { RATE_LIMITS: 'off', FILES_DIR: join(dataDir, 'files') }
  const world = await openProcessWorld(env, { dataDir, storeUrls, program: builtProgram() })
  const markers: string[] = []
  const faults: string[] = []
  let [kills, interrupted] = [0, 0]
  try {
    for (const kind of [GAME, PLAYERS]) {
      for (let ofKind = 0; ofKind < proof.kills; ) {
        const marker = `Qzkill${lettersOf(markers.length)}`
        markers.push(marker)
        const round = await killDuring(world, kind, marker, random)
        ofKind += round.kills
        kills += round.kills
        if (round.wasIncomplete) interrupted += 1
        faults.push(...round.faults)
        proof.onProgress?.(`${ofKind} of ${proof.kills} kills of the deletion of ${kind.name}`)
      }
    }
    faults.push(...(await verified(world)))
    await world.leave()
    for (const marker of markers) faults.push(...filesContaining(dataDir, marker).map((file) => `at the end: ${file}`))
    return { kills, deletions: markers.length, interrupted, faults }
  } finally {
    await world.close()
    await end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function killDuring(world: ProcessWorld, { name, make, killAfterMs }: Kind, marker: string, random: Random) {
  const deletion = await make(world, marker)
  const at = `${name} ${marker}`
  // Answered, or cut by the kill.
  const asking = deletion.ask(world).catch(() => {})
  await pause(killAfterMs(random))
  await world.end('SIGKILL')
  await asking
  const faults = saidTooEarly(world, deletion, marker, at)
  const wasIncomplete = filesContaining(world.dataDir, marker).length > 0
  await world.begin()
  let kills = 1
  if (random.chance(AGAIN)) {
    await pause(random.below(700))
    await world.end('SIGKILL')
    faults.push(...saidTooEarly(world, deletion, marker, at))
    await world.begin()
    kills += 1
  }
  await deletion.ask(world)
  await deletion.settled(world)
  const left = [...(await storedWith(world, marker)), ...filesContaining(world.dataDir, marker)]
  faults.push(...new Set(left.map((place) => `${at}: left in ${place}`)))
  return { kills, wasIncomplete, faults }
}

function saidTooEarly({ dataDir }: ProcessWorld, { saidBy }: Deletion, marker: string, at: string): string[] {
  if (saidBy === null || filesContaining(dataDir, saidBy).length === 0) return []
  return filesContaining(dataDir, marker).map((file) => `${at}: the log says that it is complete, and it is in ${file}`)
}

async function verified(world: ProcessWorld): Promise<string[]> {
  const token = await tokenOf(world, world.operator)
  const { text } = await world.call('GET', '/api/sys/verify/', { token })
  const { equal, differences } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').result
  return equal === true ? [] : [`verify finds ${JSON.stringify(differences)}`]
}

/** Letters only: the number in base 26. */
function lettersOf(number: number): string {
  const digit = String.fromCharCode('a'.charCodeAt(0) + (number % 26))
  return number < 26 ? digit : lettersOf(Math.floor(number / 26)) + digit
}
