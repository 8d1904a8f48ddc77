// Drops rankings of generations that no flag names and no process is filling. One pass over a server's keys serves
// all sets whose fill began before it.

import type { Connection, Reply } from './client.ts'
import { type Owner, ownerOf, rankingsPrefix } from './rankings-names.ts'
import { DROP } from './rankings-scripts.ts'
import type { Redis } from './redis.ts'

const KEYS_PER_SCAN = 1_000
/** Timeout in milliseconds; the server may be writing to disk. */
const ANSWER_MS = 10_000

interface Found extends Owner {
  readonly keys: string[]
}

export class Sweeper {
  private readonly redis: Redis
  private readonly namespace: string
  private started = 0
  private last: Promise<void> = Promise.resolve()

  constructor(redis: Redis, namespace: string) {
    this.redis = redis
    this.namespace = namespace
  }

  /** Number of passes begun. */
  get passes(): number {
    return this.started
  }

  /** Resolves after a pass with a higher number than `passes`: a running one, or a new one. */
  since(passes: number): Promise<void> {
    if (this.started > passes) return this.last
    this.started++
    this.last = this.pass()
    return this.last
  }

  private async pass(): Promise<void> {
    const pattern = `${rankingsPrefix(this.namespace).replaceAll(/[*?[\]\\^]/g, '\\$&')}*`
    const staying = new Set<string>()
    let cursor = '0'
    do {
      cursor = await this.redis.use(async (connection) => {
        const args = ['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(KEYS_PER_SCAN)]
        const [next, keys] = (await connection.send(args)) as [string, string[]]
        await this.drop(connection, keys, staying)
        return next
      }, ANSWER_MS)
    } while (cursor !== '0')
  }

  private async drop(connection: Connection, keys: readonly string[], staying: Set<string>): Promise<void> {
    const generations = new Map<string, Found>()
    for (const key of keys) {
      const owner = ownerOf(this.namespace, key)
      if (owner === null) continue
      const name = owner.names.key(owner.generation, '')
      const found = generations.get(name)
      if (found !== undefined) found.keys.push(key)
      else if (!staying.has(name)) generations.set(name, { ...owner, keys: [key] })
    }
    const drops = [...generations].map(async ([name, { names, generation, keys: own }]): Promise<Reply> => {
      const isDropped = await connection.run(DROP, [names.flag, names.loading, ...own], [generation])
      if (isDropped !== 1) staying.add(name)
      return isDropped
    })
    await Promise.all(drops)
  }
}
