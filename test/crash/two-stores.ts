// Facts that two stores have in part, on a data folder whose server has ended: secrets and the events that name them,
// files' bytes and the events that name them, claims and the players that have them, slots and what takes them, quotas
// and the files that they count.

import { type Dirent, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { boardKey, boardKeyStream } from '../../domain/board-key.ts'
import type { Aggregate, DomainEvent } from '../../domain/decider.ts'
import { recordedAt, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { file } from '../../domain/file.ts'
import { leaderboard } from '../../domain/leaderboard.ts'
import { type LoginClaimedData, login } from '../../domain/login.ts'
import { externalId, player } from '../../domain/player.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { slots } from '../../domain/slots.ts'
import { idIn, idsIn, isNamed } from '../../domain/streams.ts'
import type { SecretKind, Vault } from '../../stores/contract/vault.ts'
import { makeGameToDelete } from '../front-door/game-to-delete.ts'
import { makeTextFixture, writeEverything } from '../front-door/personal-texts.ts'
import { EMBEDDED } from '../servers/store-urls.ts'
import { rebuiltDifferences } from '../simulation/oracle/rebuilt.ts'
import { pause } from '../until.ts'
import { openFolderWorld } from './folder-world.ts'
import { watchStates } from './states-of-folder.ts'
import { withStores } from './stores-of.ts'

type Streams = ReadonlyMap<string, readonly StoredEvent[]>

/** One line for each fact that one store has without the other. */
export function twoStoreFaults(dataDir: string): Promise<string[]> {
  return withStores({ dataDir, storeUrls: EMBEDDED }, async ({ log, views, vault }) => {
    const streams = new Map<string, StoredEvent[]>()
    for (const event of await log.readAll(null, Number.MAX_SAFE_INTEGER)) {
      const known = streams.get(event.stream)
      if (known === undefined) streams.set(event.stream, [event])
      else known.push(event)
    }
    return [
      ...(await rebuiltDifferences(views, log)).map((one) => `the views: ${one}`),
      ...(await secretFaults(streams, vault)),
      ...claimFaults(streams),
      ...boardKeyFaults(streams),
      ...fileFaults(streams, join(dataDir, 'files')),
      ...slotFaults(streams),
    ]
  })
}

function* named(streams: Streams, prefix: Parameters<typeof isNamed>[1]) {
  for (const [stream, events] of streams) if (isNamed(stream, prefix)) yield [stream, events] as const
}

const stateOf = <State, Event extends DomainEvent>(
  { initial, evolve }: Aggregate<State, Event>,
  events: readonly StoredEvent[] = [],
): State => events.reduce((state, event) => evolve(state, unsafeCast<Event>(event), recordedAt(event)), initial)

async function secretFaults(streams: Streams, vault: Vault): Promise<string[]> {
  const faults: string[] = []
  const requires = async (kind: SecretKind, id: string, by: string) => {
    if ((await vault.get(kind, id)) === null) faults.push(`${by} is recorded without its ${kind}`)
  }
  for (const [stream, [first]] of named(streams, 'key-'))
    if (first?.data.algorithm === 'hmac-sha256') await requires('key-secret', idIn(stream), stream)
  for (const [stream] of named(streams, 'session-')) await requires('refresh-token', idIn(stream), stream)
  const secrets = new Set<string>()
  for (const prefix of ['login-', 'mail-'] as const) {
    for (const [stream, events] of named(streams, prefix)) {
      const claim = stateOf<LoginClaimedData | null, DomainEvent & Parameters<typeof login.evolve>[1]>(login, events)
      if (claim === null) continue
      secrets.add(claim.secret)
      await requires(claim.kind === 'login' ? 'password' : 'email', claim.secret, stream)
    }
  }
  for (const kind of ['password', 'login', 'email'] as const)
    for (const id of await vault.idsOf(kind, null, 1_000))
      if (!secrets.has(id)) faults.push(`the vault has a ${kind} that no claim names`)
  return faults
}

function claimFaults(streams: Streams): string[] {
  const faults: string[] = []
  for (const prefix of ['login-', 'mail-'] as const) {
    for (const [stream, events] of named(streams, prefix)) {
      const claim = stateOf(login, events)
      if (claim === null) continue
      const links = stateOf(player, streams.get(`player-${claim.player}`))?.links ?? []
      if (!links.some(({ secret }) => secret === claim.secret))
        faults.push(`${stream} is claimed, and linked to nobody`)
    }
  }
  for (const [stream, events] of named(streams, 'external-')) {
    const claim = stateOf(externalId, events)
    if (claim !== null && stateOf(player, streams.get(`player-${claim.player}`)) === null)
      faults.push(`${stream} is claimed for a player who was never created`)
  }
  return faults
}

/** A claim on a leaderboard's key is that of the leaderboard that has the key, and each key of one is claimed. */
function boardKeyFaults(streams: Streams): string[] {
  const faults: string[] = []
  const boardOf = (id: string) => stateOf(leaderboard, streams.get(`board-${id}`))
  for (const [stream, events] of named(streams, 'boardkey-')) {
    const claim = stateOf(boardKey, events)
    const [, key] = idsIn(stream)
    if (claim === null) continue
    const board = boardOf(claim.board)
    if (board?.key !== key || board.claim !== claim.claim)
      faults.push(`${stream} is claimed, and no leaderboard has it`)
  }
  for (const [stream, [created]] of named(streams, 'board-')) {
    const board = boardOf(idIn(stream))
    if (board?.key == null) continue
    const claim = stateOf(boardKey, streams.get(boardKeyStream(created?.meta.game ?? '', board.key)))
    if (claim?.claim !== board.claim) faults.push(`${stream} has the key ${board.key} without the claim on it`)
  }
  return faults
}

/** Temporary files, whose names have a dot, are removed when they are ten minutes old. */
/** Not the owner marker at the root. */
const isBlob = (one: Dirent): boolean => one.isFile() && !one.name.includes('.') && one.name !== 'owner'

function fileFaults(streams: Streams, folder: string): string[] {
  const faults: string[] = []
  const [kept, bytes] = [new Set<string>(), new Map<string, number>()]
  for (const [stream, events] of named(streams, 'file-')) {
    const { current } = stateOf(file, events)
    if (current === null) continue
    kept.add(current.blob)
    const [bucket] = idsIn(stream)
    bytes.set(bucket, (bytes.get(bucket) ?? 0) + current.size)
  }
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(isBlob)
  const blobs = new Set(stored.map(({ name }) => basename(name)))
  for (const blob of kept) if (!blobs.has(blob)) faults.push(`a file has no bytes: ${blob}`)
  for (const blob of blobs) if (!kept.has(blob)) faults.push(`bytes of no file are left: ${blob}`)
  for (const [stream] of named(streams, 'bucket-')) {
    const state = stateOf(quota, streams.get(quotaStream(idIn(stream))))
    const held = bytes.get(idIn(stream)) ?? 0
    if (state.bytes !== held) faults.push(`${stream} counts ${state.bytes} bytes, and has ${held}`)
  }
  return faults
}

const MADE = {
  leaderboards: ['board-', 'LeaderboardArchived'],
  keys: ['key-', 'KeyRevoked'],
  buckets: ['bucket-', 'BucketDeleted'],
} as const

function slotFaults(streams: Streams): string[] {
  const faults: string[] = []
  for (const [stream, events] of named(streams, 'slots-')) {
    const taken = stateOf(slots, events)
    for (const [kind, [prefix, end]] of Object.entries(MADE)) {
      for (const id of taken[kind as keyof typeof MADE].ids) {
        const item = streams.get(prefix + id)
        if (item === undefined || item.some(({ type }) => type === end)) faults.push(`${stream} counts ${kind} ${id}`)
      }
    }
  }
  return faults
}

/** By then calls have ended, and secrets that no claim names, uploads and bytes of no file are swept. */
export const LATER_MS = 26 * 60 * 60_000

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
