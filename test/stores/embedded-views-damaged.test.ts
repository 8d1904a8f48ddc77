// Damaged pages of the embedded read models: what is read is what was written, or the error names the file, and the
// file is moved away. And what they do if they lose an open transaction.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import type { ViewSpec } from '../../stores/contract/views.ts'
import { isDamaged } from '../../stores/embedded/damaged.ts'
import { DerivedDamaged } from '../../stores/embedded/derived-database.ts'
import { type EmbeddedViews, openViews } from '../../stores/embedded/views.ts'
import { batch, document, got, pos, viewSpec, write } from '../contracts/documents.ts'
import { withFakeTimers } from '../fake-timers.ts'
import { Random } from '../random.ts'
import { SEED, sized } from '../seeds.ts'
import { commitsOn } from './commits-on.ts'
import { damagePage, pagesOf, renumberRow, replaceInPage } from './damage-pages.ts'
import { copyDerived, reseal } from './derived-files.ts'
import { newPath } from './folder.ts'

const VIEW = 'things@1'
const COUNT = 1_000
const ROUNDS = sized(60, 400)

const RANKED: ViewSpec = { key: VIEW, collections: [{ name: 'thing', indexes: { rank: ['a', 's'] }, ranking: 'rank' }] }

const rejected = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error)

/** A file with documents `d-1` to `d-<count>` of one view, whose rows have the numbers of their ids. */
async function fileWith(count: number, spec: ViewSpec = viewSpec()): Promise<string> {
  const path = newPath('views.sqlite')
  const views = await openViews(path)
  await views.prepare(spec)
  const writes = Array.from({ length: count }, (_, i) =>
    write(`d-${i + 1}`, i + 1, { a: 'x', n: i, s: `s${i}`, t: `text ${i + 1}` }),
  )
  await views.commit([batch(writes)])
  await views.prepare(spec)
  await views.close()
  return path
}

/** With checksums of the damaged pages: the damage is found when they are read. */
async function opened(path: string): Promise<{ readonly views: EmbeddedViews; readonly failures: Error[] }> {
  const failures: Error[] = []
  reseal(path)
  return { views: await openViews(path, { onFailure: (error) => failures.push(error) }), failures }
}

const movedFiles = (path: string): string[] =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.damaged-`))

/** The error names the file and what happened to it; it was reported once, and the file was moved away. */
function expectMoved(path: string, error: unknown, failures: readonly Error[]): void {
  expect(error).to.be.instanceOf(DerivedDamaged)
  const [moved] = movedFiles(path)
  expect(String(error))
    .to.include(`${path} is damaged (`)
    .and.to.include(`It was moved to ${moved}: a start builds the views again from the log.`)
  expect(failures).to.deep.equal([error])
  expect(existsSync(path)).to.equal(false)
  expect(movedFiles(path)).to.have.length(1)
}

describe('a damaged document of the embedded read models', () => {
  for (const [how, read] of [
    ['one', (views: EmbeddedViews) => views.get(VIEW, 'thing', ['d-2'])],
    ['several', (views: EmbeddedViews) => views.get(VIEW, 'thing', ['d-1', 'd-2', 'd-3'])],
    [
      'those of a query',
      (views: EmbeddedViews) => views.find({ view: VIEW, collection: 'thing', index: 'byA', equal: ['x'], limit: 9 }),
    ],
  ] as const) {
    it(`moves the file away when it is read as ${how}, without its text in the error, and a new file can be opened`, async () => {
      const path = await fileWith(4)
      writeFileSync(path, readFileSync(path, 'latin1').replace('"text 2"]', '"text 2";'), 'latin1')
      const { views, failures } = await opened(path)
      const error = await rejected(read(views))
      expectMoved(path, error, failures)
      expect(String(error)).to.include('a document of collection thing of view things@1').and.not.to.include('text 2')
      // Nothing is written to a file that is moved away.
      expect(await rejected(views.commit([batch([write('d-9', 9, { a: 'z' })])]))).to.equal(error)
      const fresh = await openViews(path)
      await views.close()
      await fresh.prepare(viewSpec())
      await fresh.commit([batch([write('d-1', 1, { a: 'x' })])])
      await fresh.close()
      const again = await openViews(path)
      expect((await again.get(VIEW, 'thing', ['d-1']))[0]?.body).to.deep.equal({ a: 'x' })
      await again.close()
    })
  }

  it('is reported by a scan with its stored text, for verification', async () => {
    const path = await fileWith(3)
    writeFileSync(path, readFileSync(path, 'latin1').replace('"text 2"]', '"text 2";'), 'latin1')
    const { views, failures } = await opened(path)
    const scanned = await views.scan(VIEW, 'thing', null, 9)
    expect(scanned.map(({ id }) => id)).to.deep.equal(['d-1', 'd-2', 'd-3'])
    expect(scanned[1]?.body).to.have.all.keys('unreadable')
    expect(failures).to.deep.equal([])
    await views.close()
  })
})

describe('rows of the embedded read models that are out of order', () => {
  it('end a scan, which would go round for ever', async () => {
    const path = await fileWith(9)
    replaceInPage(path, pagesOf(path).roots.get('c1:') ?? 0, 'd-5', 'd-0')
    const { views, failures } = await opened(path)
    const error = await rejected(views.scan(VIEW, 'thing', null, 5))
    expectMoved(path, error, failures)
    await views.close()
  })

  it('end the start, which makes the index by rank of them', async () => {
    const path = await fileWith(9, RANKED)
    renumberRow(path, 6, 2)
    const { views, failures } = await opened(path)
    expectMoved(path, await rejected(views.makeMemoryIndexes(VIEW)), failures)
    await views.close()
  })

  it('do not keep a start busy for ever that removes a dropped view', async () => {
    const path = await fileWith(600)
    renumberRow(path, 500, 0)
    const { views } = await opened(path)
    // Rows are removed behind the call; the next start removes the rest.
    await views.drop(VIEW)
    expect(await views.list()).to.deep.equal([])
    await views.close()
  })
})

describe('tables of the embedded read models that contradict each other', () => {
  it('are found by the write that violates a constraint', async () => {
    const path = await fileWith(3)
    const db = new DatabaseSync(path)
    db.exec('UPDATE shapes SET number = 2')
    db.close()
    const { views, failures } = await opened(path)
    const error = await rejected(views.commit([batch([write('d-9', 9, { a: 'x', another: 'shape' })])]))
    expectMoved(path, error, failures)
    await views.close()
  })

  it('are found when the file is opened', async () => {
    const path = await fileWith(3)
    replaceInPage(path, pagesOf(path).roots.get('collections') ?? 0, '"byA"', '"byA]')
    reseal(path)
    expect(await rejected(openViews(path))).to.be.instanceOf(DerivedDamaged)
    expect(movedFiles(path)).to.have.length(1)
  })
})

describe('damaged pages of the embedded read models', () => {
  it(`are read as they were written, or move the file away: ${ROUNDS} files`, async () => {
    const path = await fileWith(COUNT, RANKED)
    const good = await opened(path)
    const expected = await readAll(good.views)
    await good.views.close()
    const pages = pagesOf(path)
    const random = new Random(SEED)
    let [moved, same] = [0, 0]
    for (let round = 0; round < ROUNDS; round += 1) {
      const copy = newPath('views.sqlite')
      copyDerived(path, copy)
      const page = random.chance(0.5) ? random.pick([...pages.roots.values(), 1]) : 1 + random.below(pages.count)
      const damage = `seed ${SEED}, round ${round}: ${damagePage(copy, page, random)}`
      reseal(copy)
      const failures: Error[] = []
      const views = await openViews(copy, { onFailure: (error) => failures.push(error) }).catch((error) => error)
      if (views instanceof Error) {
        expect(isDamaged(views) || views instanceof DerivedDamaged, `${damage}: ${views}`).to.equal(true)
        moved += 1
        continue
      }
      const read = await readAll(views).catch((error: unknown) => error)
      const written = await rejected(rewriteAll(views))
      const error = read instanceof Error ? read : written
      await views.close()
      if (error !== null) expectMoved(copy, error, failures)
      if (Array.isArray(read)) expect(read, damage).to.deep.equal(expected)
      if (error === null) same += 1
      else moved += 1
    }
    expect(moved).to.be.greaterThan(ROUNDS / 4)
    expect(same).to.be.greaterThan(0)
  })
})

async function readAll(views: EmbeddedViews): Promise<unknown[]> {
  await views.prepare(RANKED)
  await views.makeMemoryIndexes(VIEW)
  const found = await views.find({ view: VIEW, collection: 'thing', index: 'rank', equal: ['x'], limit: COUNT })
  return [found, await views.scan(VIEW, 'thing', null, COUNT), [...(await views.checkpoints(VIEW))]]
}

async function rewriteAll(views: EmbeddedViews): Promise<void> {
  const writes = Array.from({ length: COUNT }, (_, i) => write(`d-${i + 1}`, COUNT + i, { a: 'y', s: `s${i}` }))
  await views.commit([batch(writes)])
  await views.purge()
  await views.drop(VIEW)
}

describe('embedded read models that lose the held transaction', () => {
  it('report it once, write nothing more, and are consistent when reopened', async () => {
    const path = newPath('views.sqlite')
    const failures: Error[] = []
    let db: DatabaseSyncInstance | undefined
    const views = await openViews(path, {
      onFailure: (error) => failures.push(error),
      onOpened: (opened) => {
        db = opened
      },
    })
    for (const _ of [1, 2]) await views.prepare(viewSpec())
    await views.commit([batch([write('d-0', 1, { s: 'before' })])])
    await views.durable()
    const part = Array.from({ length: 600 }, (_, n) => write(`d-${n}`, 2, { s: 'held' }))
    await views.commit([batch(part, { checkpoints: [[3, { position: pos(2), eventId: 'e-2' }]] })])
    // Neither a new commit nor those of the open transaction can be written, as after a disk error.
    db?.exec('PRAGMA query_only=ON')
    for (const writes of [[write('d-1', 3, { s: 'failing' })], [write('d-1', 4, { s: 'late' })]]) {
      expect(await views.commit([batch(writes)]).catch(() => 'refused')).to.equal('refused')
    }
    expect(failures.map(({ message }) => message)).to.deep.equal([
      `${path} could not be written; nothing more is written`,
    ])
    await views.close()
    // A copy: the file stays locked until its prepared statements are collected.
    const copy = newPath('views.sqlite')
    copyDerived(path, copy)
    const again = await openViews(copy)
    expect(await got(again, 'd-0', 'd-1')).to.deep.equal([document('d-0', 1, { s: 'before' }), null])
    expect(await again.checkpoints('things@1')).to.deep.equal(new Map())
    await again.close()
  })
})

describe('embedded read models on a full disk', () => {
  it('leave no timer when they close, which would use the closed file', async () => {
    const disk = { isFull: false, commits: 0 }
    const views = await openViews(newPath('views.sqlite'), { onOpened: (db) => commitsOn(db, disk) })
    await views.prepare(viewSpec())
    disk.isFull = true
    await withFakeTimers(async ({ running }) => {
      await views.commit([batch([write('d-0', 1, { s: 'held' })])])
      expect(running.size).to.equal(1)
      await views.close()
      expect(running.size).to.equal(0)
    })
  })
})
