// A write of several documents that was interrupted. The same events are applied again, although some documents already
// have them and some are removed: the result must be that of a complete write.

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import { isNamed } from '../../domain/streams.ts'
import type { Applier } from '../../projections/applier.ts'
import { entries } from '../../projections/entries.ts'
import { files } from '../../projections/files.ts'
import { type Projection, viewSpec } from '../../projections/projection.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Views } from '../../stores/contract/views.ts'
import { openEmbeddedDocuments } from '../../stores/embedded/open.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'
import { type RunWorld, runWorld } from './run-world.ts'

const BOARD = 'b1'

type EventSpec = readonly [stream: string, type: string, data: JsonObject]

async function worldOf(projection: Projection, views?: Views): Promise<RunWorld & { readonly applier: Applier }> {
  const world = runWorld([projection], views === undefined ? {} : { views })
  await world.deps.views.prepare(viewSpec(projection))
  const [applier] = world.appliers
  if (applier === undefined) throw new Error('the world has no applier')
  return { ...world, applier }
}

async function appended(log: Log, [stream, type, data]: EventSpec): Promise<StoredEvent> {
  const revision = (await log.readStream(stream, 0, 100)).length
  const player = isNamed(stream, 'lb_') ? { player: stream.split('-')[1] ?? '' } : {}
  const about = { v: 1, game: 'g1', board: BOARD, ...player, command: randomUUID(), actor: null, request: null }
  const event = { id: randomUUID(), type, data, meta: { ...about, time: '2026-01-01T00:00:00.000Z' } }
  await log.append(stream, revision === 0 ? 'none' : revision - 1, [event])
  const [stored] = await log.readStream(stream, revision, 1)
  return stored as StoredEvent
}

/** Applies events together. If `written` names a collection, the first write is interrupted after its documents. */
async function apply(
  { deps, applier }: Awaited<ReturnType<typeof worldOf>>,
  events: readonly StoredEvent[],
  written?: string,
) {
  await applier.apply(events)
  if (written !== undefined) {
    const { batch } = applier.take(new Map())
    await deps.views.commit([{ ...batch, writes: batch.writes.filter(({ collection }) => collection === written) }])
    applier.forget()
    await applier.apply(events)
  }
  await deps.views.commit([applier.take(new Map()).batch])
}

/**
 * A board with three generations. The first two are cleared, in one range each. Each rule change also changes `unique`.
 */
function rebuiltTwice(unique: boolean): readonly EventSpec[] {
  const board = `board-${BOARD}`
  const scores = ['p1', 'p1', 'p2'].map((player, n): EventSpec => {
    const data = { id: `s${n}`, score: String(n), secondary: null, extra: null, playerName: null }
    return [`lb_${BOARD}-${player}`, 'ScoreSubmitted', data]
  })
  const changes = [0, 1].flatMap((n): readonly EventSpec[] => {
    const [change, generation, rules] = [`c${n}`, n + 2, rulesOf(unique === (n === 1))]
    const changed = { stream: board, revision: 3 * n + 2 }
    return [
      [board, 'LeaderboardRulesRequested', { change, generation, rules }],
      [board, 'LeaderboardRulesChanged', { change, generation, rules, after: null, replaces: n + 1 }],
      [board, 'LeaderboardSliceCleared', { generation: n + 1, after: null, upTo: changed, until: changed }],
    ]
  })
  return [[board, 'LeaderboardCreated', { name: 'B', description: '', rules: rulesOf(unique) }], ...scores, ...changes]
}

const TOTAL = { ...rulesOf(true), keep: 'total' } as const
const OWN = `lb_${BOARD}-p1`

const submission = (id: string, score: string, secondary: string | null = null): EventSpec => {
  return [OWN, 'ScoreSubmitted', { id, score, secondary, extra: null, playerName: null }]
}

/** Calls `work` with views in memory, or with the embedded store in a folder of its own. */
async function withViews(store: 'memory' | 'embedded', work: (views: Views) => Promise<void>): Promise<void> {
  if (store === 'memory') return work(createMemoryViews())
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-interrupted-'))
  const onFailure = (error: unknown) => {
    throw error
  }
  const stores = await openEmbeddedDocuments(folder, { onFailure })
  try {
    await work(stores.views)
  } finally {
    await stores.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The sums in the entry of a generation; null if there is none. */
async function sumsIn(views: Views, generation: number) {
  const all = await views.scan('entries@7', 'entries', null, 100)
  const found = all.find(({ body }) => body.generation === generation)
  return found === undefined ? null : [found.body.score, found.body.secondary]
}

describe('applying events again after an interrupted write', () => {
  for (const store of ['memory', 'embedded'] as const) {
    it(`adds each submission to a total once (views: ${store})`, () =>
      withViews(store, async (views) => {
        const world = await worldOf(entries, views)
        const created: EventSpec = [
          `board-${BOARD}`,
          'LeaderboardCreated',
          { name: 'B', description: '', rules: TOTAL },
        ]
        await apply(world, [await appended(world.deps.log, created)])
        const writes: readonly (readonly [events: readonly EventSpec[], sums: unknown])[] = [
          [[submission('s0', '5')], ['5', null]],
          [
            [submission('s1', '0.000000000000000001'), submission('s2', '7', '1')],
            ['12.000000000000000001', '1'],
          ],
          [[submission('s3', '-2', '2')], ['10.000000000000000001', '3']],
          [[[OWN, 'ScoreDeleted', { id: 's0', upTo: 3 }]], null],
          [
            [submission('s4', '1', '1'), [OWN, 'ScoreDeleted', { id: 's4', upTo: 5 }], submission('s5', '3')],
            ['3', null],
          ],
          [[submission('s6', '3')], ['6', null]],
        ]
        for (const [specs, sums] of writes) {
          const events: StoredEvent[] = []
          for (const spec of specs) events.push(await appended(world.deps.log, spec))
          await apply(world, events, 'entries')
          expect(await sumsIn(views, 1)).to.deep.equal(sums)
        }
      }))

    for (const written of ['entries', 'boards', 'generations']) {
      it(`adds each submission to a total once where a change to totals was written up to its ${written} (views: ${store})`, () =>
        withViews(store, async (views) => {
          const world = await worldOf(entries, views)
          const board = `board-${BOARD}`
          const change = { change: 'c1', generation: 2 }
          const built = { upTo: { stream: OWN, revision: 1 }, events: 2, total: 3 }
          // A range of the build, the rest of it in one batch with a later submission, and one more.
          for (const specs of [
            [[board, 'LeaderboardCreated', { name: 'B', description: '', rules: rulesOf(true) }]],
            [submission('s0', '5', '1'), submission('s1', '7')],
            [[board, 'LeaderboardRulesRequested', { ...change, rules: TOTAL }]],
            [[board, 'LeaderboardSliceBuilt', { ...change, after: null, ...built }]],
            [
              submission('s2', '-2', '1'),
              [board, 'LeaderboardRulesChanged', { ...change, rules: TOTAL, after: built.upTo, replaces: 1 }],
              submission('s3', '4'),
            ],
            [submission('s4', '1')],
          ] satisfies readonly (readonly EventSpec[])[]) {
            const events: StoredEvent[] = []
            for (const spec of specs) events.push(await appended(world.deps.log, spec))
            await apply(world, events, written)
          }
          expect(await sumsIn(views, 2)).to.deep.equal(['15', '2'])
        }))
    }
  }

  for (const unique of [true, false]) {
    for (const written of ['generations', 'entries']) {
      const kind = unique ? 'one entry per player' : 'one entry per submission'
      it(`completes the removal of a generation after the ${written} of its last range were written (${kind})`, async () => {
        const world = await worldOf(entries)
        for (const reports of rebuiltTwice(unique)) {
          const event = await appended(world.deps.log, reports)
          await apply(world, [event], event.type === 'LeaderboardSliceCleared' ? written : undefined)
        }
        const left = await world.deps.views.scan('entries@7', 'entries', null, 100)
        const expected = unique
          ? [[3, 'p1', '1']]
          : [
              [3, 'p1', '0'],
              [3, 'p1', '1'],
            ]
        const found = left.map(({ body }) => [body.generation, body.player, body.score]).sort()
        expect(found).to.deep.equal([...expected, [3, 'p2', '2']])
      })
    }
  }

  it('leaves the entries of a complete write after only the new rules of a leaderboard were written', async () => {
    const left = async (written?: string) => {
      const world = await worldOf(entries)
      const board = `board-${BOARD}`
      const rules = { change: 'c1', generation: 2, rules: rulesOf(true) }
      const data = { id: 's1', score: '1', secondary: null, extra: null, playerName: null }
      const events: StoredEvent[] = []
      for (const spec of [
        [board, 'LeaderboardCreated', { name: 'B', description: '', rules: rulesOf(false) }],
        [board, 'LeaderboardRulesRequested', rules],
        [`lb_${BOARD}-p1`, 'ScoreSubmitted', data],
        [board, 'LeaderboardRulesChanged', { ...rules, after: null, replaces: 1 }],
      ] satisfies readonly EventSpec[])
        events.push(await appended(world.deps.log, spec))
      await apply(world, events, written)
      const all = await world.deps.views.scan('entries@7', 'entries', null, 100)
      return all.filter(({ body }) => body.generation === 2)
    }
    const complete = await left()
    expect(complete).to.have.length(1)
    expect(await left('boards')).to.deep.equal(complete)
  })

  for (const written of ['files', 'folders']) {
    it(`parks nothing and counts nothing twice after the ${written} of a file that was overwritten and deleted`, async () => {
      const world = await worldOf(files)
      const { log, views } = world.deps
      const [first, second] = [
        { upload: 'u1', blob: 'blob1', size: 7, creator: 'p1' },
        { upload: 'u2', blob: 'blob2', size: 9, creator: 'p1' },
      ]
      const content = { contentType: 'text/plain', sha256: null }
      const location = { folder: 'k1', folderKey: 'root' }
      const file = 'file-k1.aa'
      const stored = { ...first, ...content, ...location, id: 'f1', path: '/x', replaced: null }
      const { creator: _, ...bytes } = second
      const made = [
        await appended(log, ['bucket-k1', 'BucketCreated', {}]),
        await appended(log, [file, 'FileStored', stored]),
      ]
      await apply(world, made)
      const gone = [
        await appended(log, [file, 'FileOverwritten', { ...bytes, ...content, replaced: first }]),
        await appended(log, [file, 'FileDeleted', { ...second, ...location, id: 'f1', deletion: 'd1' }]),
      ]
      await apply(world, gone, written)
      expect(world.reports.parked).to.deep.equal([])
      expect(await views.scan('files@1', 'files', null, 100)).to.deep.equal([])
      const folders = await views.scan('files@1', 'folders', null, 100)
      expect(folders.map(({ id, body }) => [id, body.files])).to.deep.equal([['k1.root', 0]])
    })
  }
})
