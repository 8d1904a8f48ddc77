// The format of the embedded read models' file: files of older versions are replaced, and older versions refuse this
// one.

import { copyFileSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Document, Find } from '../../stores/contract/views.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { TO_OLDER_VERSIONS } from '../../stores/embedded/views-schema.ts'
import { batch, document, got, prepareWith, write } from '../contracts/documents.ts'
import { findPlainly } from '../contracts/views-model.ts'
import { reseal } from './derived-files.ts'
import { newPath } from './folder.ts'

const OLDER = fileURLToPath(new URL('../fixtures/7c25e86/installation/views.sqlite', import.meta.url))

describe('the file of the embedded read models', () => {
  const replaced = async (...ends: string[]) => {
    const path = newPath('views.sqlite')
    for (const end of ends) copyFileSync(`${OLDER}${end}`, `${path}${end}`)
    const views = await openViews(path)
    expect(await views.list()).to.deep.equal([])
    await prepareWith(views, [write('d-1', 1, { s: 'x' })])
    await views.close()
    const again = await openViews(path)
    expect(await got(again, 'd-1')).to.deep.equal([document('d-1', 1, { s: 'x' })])
    await again.close()
  }

  it('is replaced by an empty one if an older version wrote it', () => replaced('', '-wal'))

  it('is new if a crash interrupted its removal and left its WAL', () => replaced('-wal'))

  it('makes an older version fail at its first query with one line that says what to do', async () => {
    const path = newPath('views.sqlite')
    await openViews(path).then((views) => views.close())
    const file = new DatabaseSync(path)
    const query = () => file.prepare('SELECT partition, position, event FROM checkpoints WHERE view = ?')
    expect(query).to.throw(
      /^no such table: main\.a newer version wrote this file\. Start that version, or remove [^\n]*$/,
    )
    file.close()
  })

  it('refuses the file of a newer version, and leaves it', async () => {
    const path = newPath('views.sqlite')
    await openViews(path).then((views) => views.close())
    const file = new DatabaseSync(path)
    file.exec(`DROP TABLE reached; CREATE VIEW reached AS SELECT * FROM "${TO_OLDER_VERSIONS}"`)
    file.close()
    reseal(path)
    const failure = await openViews(path).catch((error: unknown) => error)
    expect((failure as Error).message).to.match(/^no such table: main\.a newer version wrote this file/)
    expect(readdirSync(dirname(path))).to.include('views.sqlite')
  })
})

describe('the embedded read models with a ranking in the file', () => {
  const INDEXES = { rank: ['a', 'n'], newest: ['a', '-s', 'n'], own: ['s', 'a', 'n'] } as const

  it('find what a model finds, in its order and behind any cursor', async () => {
    const views = await openViews(newPath('views.sqlite'), { ranksInFile: true })
    let run = 0
    const field = <T>(value: fc.Arbitrary<T>) => fc.option(value)
    const body = fc.record({ a: field(fc.constantFrom('x', 'y')), n: field(fc.nat(9)), s: fc.constantFrom('p', 'q') })
    const bodies = fc.uniqueArray(body, {
      maxLength: 40,
      selector: ({ a, n }) => (a !== null && n !== null && `${a}${n}`) || {},
    })
    const index = fc.constantFrom('rank', 'own') as fc.Arbitrary<'rank' | 'own'>
    await fc.assert(
      fc.asyncProperty(bodies, index, fc.nat(99), fc.boolean(), async (all, of, at, reverse) => {
        run += 1
        const view = `things@${run}`
        await views.prepare({
          key: view,
          collections: [{ name: 'thing', indexes: INDEXES, ranking: 'rank', fields: { s: 'time' } }],
        })
        const documents: Document[] = all.map((one, n) => document(`d-${n}`, n + 1, one))
        await views.commit([
          batch(
            documents.map(({ id, body: own }, n) => write(id, n + 1, own)),
            { view },
          ),
        ])
        const cursor = documents[at % Math.max(1, documents.length)]
        const fields = INDEXES[of].map((name) => (cursor?.body[name] ?? null) as string | number | null)
        const behind = cursor === undefined || fields[0] === null ? undefined : { fields, id: cursor.id }
        for (const find of [{ index: of }, { index: 'newest' as const }, { index: of, ...(behind && { behind }) }]) {
          const full: Find = { view, collection: 'thing', equal: [], limit: 99, reverse, ...find }
          expect(await views.find(full)).to.deep.equal(findPlainly(documents, INDEXES[find.index], full))
        }
      }),
      { numRuns: 100 },
    )
    await views.close()
  })
})
