// The MongoDB of the suites: the one at MONGODB_URL if it is set, else FerretDB. Each store under test has a database
// of its own, which is dropped at the end.

import { MongoClient } from 'mongodb'
import { openMongo } from '../../../stores/mongodb/open.ts'
import { type MongoServerOptions, startMongo } from '../ferretdb.ts'

export const GIVEN_URL: string | undefined = process.env.MONGODB_URL || undefined

type Opened = Awaited<ReturnType<typeof openMongo>>

export interface Databases {
  readonly url: string
  /** The URL of a new database. */
  fresh(): string
  /** The stores in a new database. */
  open(): Promise<Opened>
  /** Drops one of them early: a server keeps files and connections for each. */
  drop(url: string): Promise<void>
  end(): Promise<void>
}

let made = 0

export async function databases(options: MongoServerOptions = {}): Promise<Databases> {
  const own = GIVEN_URL === undefined ? await startMongo(options) : null
  const url = own?.url ?? GIVEN_URL ?? ''
  const names: string[] = []

  function fresh(): string {
    made += 1
    const name = `test-${process.pid}-${made}`
    names.push(name)
    return withDatabase(url, name)
  }

  async function drop(url: string): Promise<void> {
    const client = new MongoClient(url)
    try {
      await client.db().dropDatabase()
    } finally {
      await client.close()
    }
  }

  async function end(): Promise<void> {
    if (own !== null) return own.stop()
    const client = new MongoClient(url)
    for (const name of names) await client.db(name).dropDatabase()
    await client.close()
  }

  return { url, fresh, open: () => openMongo({ url: fresh() }), drop, end }
}

/** The same URL with another database; the authentication database stays. */
export function withDatabase(url: string, name: string): string {
  const [, server = '', path = '', query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(\?.*)?$/.exec(url) ?? []
  const source = path !== '' && server.includes('@') && !query.includes('authSource=') ? `authSource=${path}` : ''
  const options = [query.slice(1), source].filter((one) => one !== '').join('&')
  return `${server}/${name}${options === '' ? '' : `?${options}`}`
}
