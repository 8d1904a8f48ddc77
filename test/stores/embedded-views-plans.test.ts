// Every query of the embedded read models uses an index.

import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import type { Find } from '../../stores/contract/views.ts'
import { findTexts } from '../../stores/embedded/views-query.ts'
import { createTable, tableOf } from '../../stores/embedded/views-schema.ts'
import { INDEXES } from '../contracts/documents.ts'

describe('the query plans of the embedded read models', () => {
  it('use an index for every query, from its bound on, without sorting', () => {
    const db = new DatabaseSync(':memory:')
    createTable(db, 1, { indexes: INDEXES })
    const table = tableOf(1, { indexes: INDEXES })
    for (const { make } of table.indexes.values()) db.exec(make)
    const plan = (sql: string) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
    for (const { find, searchedBy } of everyShape()) {
      for (const sql of Object.values(findTexts(table, find))) {
        const steps = plan(sql)
        // An index that is read backwards may sort equal rows, a few at a time, and nothing else.
        const sorted = steps.filter((step) => step.includes('B-TREE') && !/FOR LAST (\d TERMS|TERM)/.test(step))
        if (find.index !== 'mixedUp') expect(steps.join(), sql).to.not.include('B-TREE')
        expect(sorted, sql).to.deep.equal([])
        const searched = steps.filter((step) => step.includes('c1')).join()
        expect(searched, sql).to.match(new RegExp(`c1:${SERVED_BY[find.index] ?? find.index}`))
        if (searchedBy.length > 0) expect(searched, sql).to.match(/^SEARCH/)
        for (const condition of searchedBy) expect(searched, sql).to.match(condition)
      }
    }
    db.close()
  })
})

const SERVED_BY: Readonly<Record<string, string>> = { mixedUp: 'mixed' }

interface Shape {
  readonly find: Find
  /** The columns that the plan must search by. */
  readonly searchedBy: readonly RegExp[]
}

/** Every index with every number of equal values and every kind of bound, in both directions. */
function everyShape(): Shape[] {
  const bounds = [{}, { from: 1 }, { after: 1 }, { until: 1 }, { from: 1, until: 2 }]
  return Object.entries(INDEXES).flatMap(([index, fields]) => {
    const names = fields.map((field) => field.replace('-', ''))
    return [...names, null].flatMap((bounded, prefix) =>
      (bounded === null ? [{}] : bounds).flatMap((bound) =>
        [false, true].map((reverse) => {
          const equal = names.slice(0, prefix).map(() => 1)
          const searchedBy = names.slice(0, prefix).map((name) => new RegExp(`f_${name}=\\?`))
          if (Object.keys(bound).length > 0) searchedBy.push(new RegExp(`f_${bounded}[<>]`))
          return {
            find: { view: 'things@1', collection: 'thing', index, equal, limit: 9, reverse, ...bound },
            searchedBy,
          }
        }),
      ),
    )
  })
}
