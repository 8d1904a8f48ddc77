// Damages the files beside the log at random, and checks on what is opened after it: every read is what was written,
// every append is decided as the log demands, and the log keeps each revision of a stream once.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { NewEvent, StoredEvent } from '../../domain/event.ts'
import { DerivedDamaged } from '../../stores/embedded/derived-database.ts'
import { type EmbeddedLog, headsPathOf, indexPathOf, type LogOptions, openLog } from '../../stores/embedded/log.ts'
import { openEmbeddedDocuments } from '../../stores/embedded/open.ts'
import { batch, viewSpec, write } from '../contracts/documents.ts'
import { everything, someEvent } from '../contracts/events.ts'
import { Random } from '../random.ts'
import { damageFile } from './damage-files.ts'
import { copyDerived, reseal } from './derived-files.ts'

export interface DamageProof {
  readonly rounds: number
  /** Damages that were named and repaired; the others changed nothing that is read. */
  readonly repaired: number
  readonly faults: readonly string[]
}

const STREAMS = 60
const GAMES = 3
const APPENDS = 12
/** States of a folder that are copied, the later ones with more events. */
const STATES = 6
const EVENTS_PER_STATE = 160

/** Small batches, so that the files have most of a small log, and checkpoints, so that their WALs begin again. */
/** No power cut is simulated, so nothing waits for the disk. */
const sync = async () => {}
const OPTIONS: LogOptions = { sync, index: { sync, batch: 64, checkpointFrom: 48 * 1_024 }, headsWorthWriting: 1 }

const streamOf = (n: number): string => `s-${n}`
const eventOf = (n: number): NewEvent => someEvent({ data: { n }, meta: { game: `g${n % GAMES}`, board: `b${n % 5}` } })

/** A log with what its streams are. */
interface LogModel {
  readonly log: EmbeddedLog
  readonly lasts: Map<string, number>
}

async function appendSome({ log, lasts }: LogModel, count: number, random: Random): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const stream = streamOf(random.below(STREAMS))
    const last = lasts.get(stream) ?? -1
    const result = await log.append(stream, last === -1 ? 'none' : last, [eventOf(random.below(1_000))])
    if (result.kind !== 'appended' || result.revision !== last + 1)
      throw new Error(`${stream} at ${last}: ${JSON.stringify(result)}`)
    lasts.set(stream, last + 1)
  }
}

/** What the log answers that is wrong; null if nothing is. */
async function wrongIn(log: EmbeddedLog): Promise<string | null> {
  const all = await everything(log)
  for (let n = 0; n < STREAMS; n += 1) {
    const own = all.filter(({ stream }) => stream === streamOf(n))
    const doubled = own.findIndex(({ revision }, nth) => revision !== nth)
    if (doubled !== -1) return `${streamOf(n)} has revision ${own[doubled]?.revision} as its event ${doubled}`
    if (differs(await log.readStream(streamOf(n), 0, 10_000), own)) return `${streamOf(n)} reads otherwise`
    const wrong = await log.append(streamOf(n), own.length, [eventOf(n)])
    if (wrong.kind !== 'conflict') return `${streamOf(n)} takes revision ${own.length + 1} after ${own.length - 1}`
  }
  for (let n = 0; n < GAMES; n += 1) {
    const game = `g${n}`
    const own = all.filter(({ meta }) => meta.game === game)
    if (differs(await log.part({ game }, null, 100_000), own)) return `the history of ${game} reads otherwise`
    const middle = Math.max(1, Math.floor(own.length / 2))
    const nth = await log.nth({ game }, null, middle)
    if (nth?.position !== own[middle - 1]?.position) return `event ${middle} of ${game} is another one`
  }
  return null
}

const differs = (one: readonly StoredEvent[], other: readonly StoredEvent[]): boolean =>
  JSON.stringify(one) !== JSON.stringify(other)

/** Folders of one log as closed and as killed processes left them, in the order of time. */
async function logStates(
  root: string,
  random: Random,
): Promise<{ readonly folder: string; readonly lasts: ReadonlyMap<string, number> }[]> {
  const path = join(root, 'log.sqlite')
  const lasts = new Map<string, number>()
  const states = []
  let log = await openLog(path, OPTIONS)
  for (let state = 0; state < STATES; state += 1) {
    await appendSome({ log, lasts }, EVENTS_PER_STATE, random)
    const isKilled = state % 2 === 1
    if (!isKilled) await log.close()
    const folder = join(root, `state-${state}`)
    mkdirSync(folder)
    copyLog(root, folder)
    states.push({ folder, lasts: new Map(lasts) })
    if (!isKilled) log = await openLog(path, OPTIONS)
  }
  await log.close()
  return states
}

function copyLog(from: string, to: string): void {
  for (const name of ['log.sqlite', 'log.sqlite-wal', 'log-heads']) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
  }
  copyDerived(indexPathOf(join(from, 'log.sqlite')), indexPathOf(join(to, 'log.sqlite')))
}

function damageHeads(path: string, random: Random): string {
  const size = statSync(path).size
  if (random.chance(0.2)) {
    const left = random.below(size)
    writeFileSync(path, readFileSync(path).subarray(0, left))
    return `log-heads cut off at ${left} of ${size}`
  }
  const bytes = readFileSync(path)
  const bit = random.below(8 * size)
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  writeFileSync(path, bytes)
  return `log-heads: bit ${bit}`
}

/** Damages the index or the heads of a log. */
export async function proveDamagedLogs(rounds: number, seed: number): Promise<DamageProof> {
  const root = mkdtempSync(join(tmpdir(), 'scorebook-damage-'))
  const random = new Random(seed)
  const faults: string[] = []
  let repaired = 0
  try {
    const states = await logStates(root, random)
    for (let round = 0; round < rounds; round += 1) {
      const at = random.below(states.length)
      const { folder, lasts } = states[at] as (typeof states)[number]
      const copy = join(root, 'damaged')
      rmSync(copy, { recursive: true, force: true })
      mkdirSync(copy)
      copyLog(folder, copy)
      const path = join(copy, 'log.sqlite')
      const older = states.slice(0, at + 1).map((state) => indexPathOf(join(state.folder, 'log.sqlite')))
      const isOfHeads = existsSync(headsPathOf(path)) && random.chance(0.2)
      const damage = isOfHeads ? damageHeads(headsPathOf(path), random) : damageFile(indexPathOf(path), older, random)
      const what = `seed ${seed}, round ${round}, state ${at}, ${damage}`
      const found: DerivedDamaged[] = []
      const isFine = await useDamagedLog({ path, lasts: new Map(lasts), found, random }).catch((error) =>
        String(error.stack),
      )
      if (isFine !== null) faults.push(`${what}: ${isFine}`)
      if (found.length > 0) repaired += 1
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return { rounds, repaired, faults }
}

/**
 * Damages the index and gives it the checksums of what it is then, as if it were damaged while it is open. Streams read
 * right or not at all, and the log stays right.
 */
export async function proveSealedDamage(rounds: number, seed: number): Promise<DamageProof> {
  const root = mkdtempSync(join(tmpdir(), 'scorebook-damage-'))
  const random = new Random(seed)
  const faults: string[] = []
  let repaired = 0
  try {
    const states = (await logStates(root, random)).filter((_, at) => at % 2 === 0)
    for (let round = 0; round < rounds; round += 1) {
      const { folder, lasts } = random.pick(states)
      const copy = join(root, 'damaged')
      rmSync(copy, { recursive: true, force: true })
      mkdirSync(copy)
      copyLog(folder, copy)
      const path = join(copy, 'log.sqlite')
      const damage = damageRevisions(indexPathOf(path), random)
      reseal(indexPathOf(path))
      const found: DerivedDamaged[] = []
      const wrong = await useSealedLog({ path, lasts: new Map(lasts), found, random })
      if (wrong !== null) faults.push(`seed ${seed}, round ${round}, ${damage}: ${wrong}`)
      if (found.length > 0) repaired += 1
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return { rounds, repaired, faults }
}

/** Changes, removes or adds rows of the table that decided appends. */
function damageRevisions(path: string, random: Random): string {
  const db = new DatabaseSync(path)
  const { rows } = db.prepare('SELECT count(*) AS rows FROM revisions').get() as { rows: number }
  const { stream, revision, sequence } = db
    .prepare(`SELECT stream, revision, sequence FROM revisions LIMIT 1 OFFSET ${random.below(rows)}`)
    .get() as { stream: number; revision: number; sequence: number }
  const where = `WHERE stream = ${stream} AND revision = ${revision} AND sequence = ${sequence}`
  const change = random.pick([
    `UPDATE OR REPLACE revisions SET stream = stream + ${2 ** random.below(40)} ${where}`,
    `UPDATE OR REPLACE revisions SET revision = revision + ${1 + random.below(3)} ${where}`,
    `UPDATE OR REPLACE revisions SET sequence = ${1 + random.below(rows)} ${where}`,
    `DELETE FROM revisions ${where}`,
    `DELETE FROM revisions WHERE stream = ${stream} AND revision >= ${revision}`,
    `INSERT OR REPLACE INTO revisions VALUES (${stream}, ${revision + 1}, ${1 + random.below(rows)})`,
  ])
  db.exec(change)
  db.close()
  return change
}

async function useSealedLog({ path, lasts, found, random }: DamagedLog): Promise<string | null> {
  const onFailure = (error: Error) => found.push(error as DerivedDamaged)
  const log = await openLog(path, { ...OPTIONS, onFailure })
  const all = await everything(log)
  try {
    for (let n = 0; n < STREAMS; n += 1) {
      const own = all.filter(({ stream }) => stream === streamOf(n))
      const read = await log
        .readStream(streamOf(n), random.below(own.length + 1), 1 + random.below(10))
        .catch((error) => error)
      if (read instanceof DerivedDamaged) continue
      const from = read[0]?.revision ?? own.length
      if (read instanceof Error || differs(read, own.slice(from, from + read.length))) return `${streamOf(n)}: ${read}`
    }
    await appendSome({ log, lasts }, APPENDS, random)
    const left = await everything(log)
    for (let n = 0; n < STREAMS; n += 1) {
      const own = left.filter(({ stream }) => stream === streamOf(n))
      if (own.some(({ revision }, nth) => revision !== nth)) return `${streamOf(n)} has a gap or a duplicate`
    }
    return null
  } finally {
    await log.close()
  }
}

interface DamagedLog {
  readonly path: string
  readonly lasts: Map<string, number>
  readonly found: DerivedDamaged[]
  readonly random: Random
}

async function useDamagedLog({ path, lasts, found, random }: DamagedLog): Promise<string | null> {
  const onRepaired = (damage: DerivedDamaged) => found.push(damage)
  const failures: Error[] = []
  for (const isAgain of [false, true]) {
    const log = await openLog(path, { ...OPTIONS, onRepaired, onFailure: (error) => failures.push(error) })
    try {
      const wrong = await wrongIn(log)
      if (wrong !== null) return `${isAgain ? 'opened again: ' : ''}${wrong}`
      await appendSome({ log, lasts }, APPENDS, random)
      const after = await wrongIn(log)
      if (after !== null) return `after appends: ${after}`
    } finally {
      await log.close()
    }
  }
  return failures.length === 0 ? null : failures.join('; ')
}

const COMMITS = 40
const DOCUMENTS = 80
const VIEW = 'things@1'

/** The documents after a number of commits. */
function documentsAt(commits: number): Map<string, number> {
  const documents = new Map<string, number>()
  for (let n = 1; n <= commits; n += 1)
    for (let i = 0; i < 8; i += 1) documents.set(`d-${(n * 7 + i * 11) % DOCUMENTS}`, n)
  return documents
}

const commitOf = (n: number) =>
  batch(
    Array.from({ length: 8 }, (_, i) =>
      write(`d-${(n * 7 + i * 11) % DOCUMENTS}`, n, { a: 'x', n, s: `s${n} `.repeat(20) }),
    ),
    { checkpoints: [[0, { position: String(n).padStart(16, '0'), eventId: `e-${n}` }]] },
  )

/** Damages views. What is opened must be the views at some commit, or must have been moved away. */
export async function proveDamagedViews(rounds: number, seed: number): Promise<DamageProof> {
  const root = mkdtempSync(join(tmpdir(), 'scorebook-damage-'))
  const random = new Random(seed)
  const faults: string[] = []
  let repaired = 0
  try {
    const states = await viewStates(root)
    for (let round = 0; round < rounds; round += 1) {
      const at = random.below(states.length)
      const copy = join(root, 'damaged')
      rmSync(copy, { recursive: true, force: true })
      mkdirSync(copy)
      const path = join(copy, 'views.sqlite')
      copyDerived(states[at] as string, path)
      const damage = damageFile(path, states.slice(0, at + 1), random)
      const read = await readViews(copy)
      if (read === 'moved') repaired += 1
      else if (read !== null) faults.push(`seed ${seed}, round ${round}, state ${at}, ${damage}: ${read}`)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return { rounds, repaired, faults }
}

async function viewStates(root: string): Promise<string[]> {
  const states: string[] = []
  const open = () => openEmbeddedDocuments(root, { onFailure: () => {} })
  let stores = await open()
  await stores.views.prepare(viewSpec())
  for (let n = 1; n <= COMMITS; n += 1) {
    await stores.views.commit([commitOf(n)])
    if (n % 3 === 0) await stores.views.durable()
    if (n % 4 === 0) await stores.documentErasure?.purge()
    if (n % 10 === 0) {
      await stores.close()
      stores = await open()
    }
    if (n % 5 !== 0 && n % 7 !== 0) continue
    const folder = join(root, `state-${n}`)
    mkdirSync(folder)
    states.push(join(folder, 'views.sqlite'))
    copyDerived(join(root, 'views.sqlite'), join(folder, 'views.sqlite'))
  }
  await stores.close()
  return states
}

/** Null if all is as it was at some commit. */
async function readViews(folder: string): Promise<string | null> {
  const opened = await openEmbeddedDocuments(folder, { onFailure: () => {} }).catch((error: unknown) => error)
  if (opened instanceof DerivedDamaged) return 'moved'
  if (opened instanceof Error) return String(opened.stack)
  const { views, close } = opened as Awaited<ReturnType<typeof openEmbeddedDocuments>>
  try {
    if (!(await views.list()).includes(VIEW)) return null
    const reached = (await views.checkpoints(VIEW)).get(0)
    const expected = documentsAt(Number(reached?.position ?? 0))
    const scanned = await views.scan(VIEW, 'thing', null, DOCUMENTS)
    const found = new Map(scanned.map(({ id, body }) => [id, body.n]))
    const text = (map: ReadonlyMap<string, unknown>) => JSON.stringify([...map].sort())
    return text(found) === text(expected) ? null : `other documents at ${reached?.position}: ${text(found)}`
  } finally {
    await close()
  }
}
