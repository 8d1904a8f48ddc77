// Lists 20 files of a folder with 100,000 files, relative to one with 100: only the query on the embedded documents,
// because everything else would hide its cost. At the beginning, further on, and filtered by player.

import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { idText } from '../credentials/text.ts'
import { bucketStream, NEW_BUCKET } from '../domain/bucket.ts'
import { type JsonObject, unsafeCast } from '../domain/event.ts'
import { fileStream } from '../domain/file.ts'
import { ROOT_RULES, type Visitor } from '../domain/folder-rules.ts'
import { ALL_PARTITIONS } from '../domain/partition.ts'
import { catchUp } from '../projections/catch-up.ts'
import { createApplier } from '../projections/create-applier.ts'
import { files as filesView } from '../projections/files.ts'
import { viewKey, viewSpec } from '../projections/projection.ts'
import { listFolder } from '../queries/files/list.ts'
import type { FolderDocument } from '../queries/files/path-lookup.ts'
import type { Views } from '../stores/contract/views.ts'
import { openLog } from '../stores/embedded/log.ts'
import { openViews } from '../stores/embedded/views.ts'
import { createRankings } from '../test/memory/rankings-in-process.ts'
import { type Append, appendAll } from './support/events.ts'
import { freshFolder } from './support/fresh-server.ts'
import { inTurn, ownCpuSeconds, type Size } from './support/measure.ts'
import { quietRun } from './support/projection-run.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'

const GAME = 'bench'
const FEW = 100
const MANY = 100_000
const LIMIT = 20
const TIMES = 500
/** Number of files of this player in each folder. */
const OWN = 40
const PLAYER = 'ada'
const TIME = '2026-01-01T00:00:00.000Z'

const ADMIN: Visitor = { isAdmin: true, player: null }
const AUTHOR: Visitor = { isAdmin: false, player: PLAYER }

export async function benchListing(size: Size): Promise<BenchRow[]> {
  const folder = await freshFolder()
  const log = await openLog(join(folder, 'log.sqlite'))
  const views = await openViews(join(folder, 'views.sqlite'))
  try {
    for (const count of [FEW, MANY]) await appendAll(log, eventsOf(count))
    await views.prepare(viewSpec(filesView))
    const deps = quietRun({ log, history: log, views, rankings: createRankings() })
    await catchUp(deps, [createApplier(filesView, deps)], new Set(ALL_PARTITIONS), new AbortController().signal)
    await views.prepare(viewSpec(filesView))
    const few = await lister(views, FEW)
    const many = await lister(views, MANY)
    const row = async (what: string, visitor: Visitor, offset: (count: number) => number) => {
      const costs = await inTurn(size.rounds, {
        few: () => few(visitor, offset(FEW)),
        many: () => many(visitor, offset(MANY)),
      })
      return cheapEnough({ what, limit: costs.few, ours: costs.many }, 2)
    }
    const what = `list ${LIMIT} files, ${MANY.toLocaleString('en')} in the folder / ${FEW}`
    return [
      await row(what, ADMIN, () => 0),
      await row(`${what}, in the middle`, ADMIN, (count) => count / 2),
      await row(`${what}, at the end`, ADMIN, (count) => count - LIMIT),
      await row(`${what}, one’s own ${OWN}`, AUTHOR, () => 0),
    ]
  } finally {
    await Promise.all([log.close(), views.close()])
    await rm(folder, { recursive: true })
  }
}

/** Returns the seconds of listing the folder with this many files. */
async function lister(views: Views, count: number) {
  const [document] = await views.get(viewKey(filesView), 'folders', [`${bucketOf(count)}.root`])
  const root = unsafeCast<FolderDocument>(document?.body)
  const folder = { ...root, rules: { ...ROOT_RULES, create: 'player' } } as const
  const deps = { views, viewKey: () => viewKey(filesView) }
  return async (visitor: Visitor, offset: number): Promise<number> => {
    const expected = visitor === ADMIN ? count : OWN
    const seconds = await ownCpuSeconds(async () => {
      for (let time = 0; time < TIMES; time++) {
        const { files } = await listFolder(deps, { folder, visitor }, { limit: LIMIT, offset }, { game: GAME })
        if (files?.rows.length !== LIMIT || files.count !== expected) throw new Error('the list is not as it should be')
      }
    })
    return seconds / TIMES
  }
}

const bucketOf = (count: number): string => `bucket${count}`

const idOf = (what: string): string => idText(createHash('sha256').update(what).digest()).slice(0, 24)

/** A bucket with this many files in its root. */
function* eventsOf(count: number): Iterable<Append> {
  const bucket = bucketOf(count)
  yield append(bucketStream(bucket), 'BucketCreated', { name: 'Bench', limits: NEW_BUCKET })
  for (let n = 0; n < count; n++) {
    const path = `/save ${(n * 7_919) % count}.bin`
    const own = { id: idOf(`file ${n}`), path, folder: bucket, folderKey: 'root', creator: n < OWN ? PLAYER : 'bob' }
    const content = { size: 1_000, contentType: 'application/x-save', sha256: null, blob: idOf(`blob ${n}`) }
    const stored = { ...own, ...content, upload: idOf(`upload ${n}`), replaced: null }
    yield append(fileStream(bucket, idOf(path)), 'FileStored', stored)
  }
}

function append(stream: string, type: string, data: JsonObject): Append {
  const meta = { v: 1, game: GAME, command: randomUUID(), actor: 'sk_bench', request: randomUUID(), time: TIME }
  return { stream, expected: 'none', event: { id: randomUUID(), type, data, meta } }
}
