// Several connections to one new database, as several processes have them, and its content.

import { type Collection, MongoClient } from 'mongodb'
import type { Views } from '../../../stores/contract/views.ts'
import type { Row } from '../../../stores/mongodb/document-rows.ts'
import { openMongo } from '../../../stores/mongodb/open.ts'
import type { Databases } from './database.ts'

/** Opens the views of one new database this many times, and closes all of them in any case. */
export async function sharing(
  servers: Databases,
  processes: number,
  use: (url: string, views: readonly Views[]) => Promise<void>,
): Promise<void> {
  const url = servers.fresh()
  const all = await Promise.all(Array.from({ length: processes }, () => openMongo({ url })))
  try {
    await use(
      url,
      all.map(({ views }) => views),
    )
  } finally {
    for (const one of all) await one.close()
  }
}

export function withOne(servers: Databases, use: (views: Views, url: string) => Promise<void>): Promise<void> {
  return sharing(servers, 1, async (url, [views]) => {
    if (views !== undefined) await use(views, url)
  })
}

export function withTwo(servers: Databases, use: (a: Views, b: Views, url: string) => Promise<void>): Promise<void> {
  return sharing(servers, 2, async (url, [a, b]) => {
    if (a !== undefined && b !== undefined) await use(a, b, url)
  })
}

/** The rows of the only collection of views in this database. */
export async function withRows(url: string, use: (rows: Collection<Row>) => Promise<void>): Promise<void> {
  const client = new MongoClient(url)
  try {
    const names = await client.db().listCollections({}, { nameOnly: true }).toArray()
    const name = names.find(({ name: some }) => some.startsWith('view.'))?.name
    await use(client.db().collection<Row>(name ?? 'none'))
  } finally {
    await client.close()
  }
}
