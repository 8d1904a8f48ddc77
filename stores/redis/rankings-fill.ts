// Filling: all rankings of a view written plainly into keys that nobody reads yet, and at the end, in one step, the flag
// that makes them count; but only where Redis forgot nothing meanwhile and nobody else began to fill.

import { randomBytes } from 'node:crypto'
import type { Position } from '../../domain/event.ts'
import type { FilledRanking } from '../contract/rankings.ts'
import type { Connection } from './client.ts'
import type { Redis } from './connection.ts'
import { type RankingNames, standingOf } from './rankings-names.ts'
import { BEGIN_FILL, END_FILL, MARK } from './rankings-scripts.ts'

const MEMBERS_PER_COMMAND = 1_000
/** What is sent before answers are waited for, twice over: one such batch is under way while the next one is read. */
const MEMBERS_PER_BATCH = 20_000
const COMMANDS_PER_BATCH = 2_000
const KEYS_PER_SCAN = 1_000
/** Batches are long, and the server may be writing to disk. */
const BATCH_ANSWER_MS = 10_000

export class FillBroken extends Error {
  constructor(why: string) {
    super(`The rankings could not be filled: ${why}. They are to be filled again.`)
    this.name = 'FillBroken'
  }
}

export async function fillRankings(
  redis: Redis,
  names: RankingNames,
  name: string,
  at: Position | null,
  rankings: AsyncIterable<FilledRanking>,
): Promise<void> {
  const generation = randomBytes(6).toString('base64url')
  const own = names.key(generation, '')
  const epoch = await redis.use(async (connection) => {
    await connection.run(BEGIN_FILL, [names.flag, names.loading], [generation])
    return connection.epoch
  })
  try {
    await drop(redis, names.prefix, (key) => !key.startsWith(own))
    const writer = new Writer(redis, names.loading, generation, epoch)
    try {
      for await (const { key, members } of rankings) {
        const mark = MARK + (at ?? '')
        await writer.ranking(names.key(generation, key), mark, members)
      }
    } finally {
      await writer.finish()
    }
    const standing = standingOf(generation, epoch, at ?? '', name)
    const isFilled = await redis.use((connection) => {
      sameServer(connection, epoch)
      return connection.run(END_FILL, [names.flag, names.loading], [generation, standing.flag])
    })
    if (isFilled !== 1) throw new FillBroken('Redis was emptied, or another process began to fill them')
  } catch (failure) {
    // What was written counts for nothing, and the next fill drops it where this cannot.
    await drop(redis, own, () => true).catch(() => {})
    throw failure
  }
}

function sameServer(connection: Connection, epoch: string): void {
  if (connection.epoch !== epoch) throw new FillBroken('Redis was restarted')
}

/** Drops the keys that begin so, where told to. */
async function drop(redis: Redis, prefix: string, isDropped: (key: string) => boolean): Promise<void> {
  const pattern = `${prefix.replaceAll(/[*?[\]\\^]/g, '\\$&')}*`
  let cursor = '0'
  do {
    cursor = await redis.use(async (connection) => {
      const args = ['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(KEYS_PER_SCAN)]
      const [next, keys] = (await connection.send(args)) as [string, string[]]
      const dropped = keys.filter(isDropped)
      if (dropped.length > 0) await connection.send(['UNLINK', ...dropped])
      return next
    }, BATCH_ANSWER_MS)
  } while (cursor !== '0')
}

class Writer {
  private readonly redis: Redis
  private readonly loading: string
  private readonly generation: string
  private readonly epoch: string
  private commands: string[][] = []
  private members = 0
  private underWay: Promise<void> = Promise.resolve()

  constructor(redis: Redis, loading: string, generation: string, epoch: string) {
    this.redis = redis
    this.loading = loading
    this.generation = generation
    this.epoch = epoch
  }

  async ranking(key: string, mark: string, slices: AsyncIterable<readonly string[]>): Promise<void> {
    let command = ['ZADD', key, '0', mark]
    for await (const slice of slices) {
      for (const member of slice) {
        command.push('0', member)
        if (command.length < MEMBERS_PER_COMMAND * 2) continue
        this.add(command)
        command = ['ZADD', key]
        if (this.isFull()) await this.flush()
      }
    }
    if (command.length > 2) this.add(command)
    if (this.isFull()) await this.flush()
  }

  /** Sends what is left, and waits for all answers. */
  async finish(): Promise<void> {
    await this.flush()
    await this.underWay
  }

  private add(command: string[]): void {
    this.commands.push(command)
    this.members += command.length / 2 - 1
  }

  private isFull(): boolean {
    return this.members >= MEMBERS_PER_BATCH || this.commands.length >= COMMANDS_PER_BATCH
  }

  private async flush(): Promise<void> {
    const { commands } = this
    this.commands = []
    this.members = 0
    await this.underWay
    this.underWay = this.write(commands)
    // Awaited by the next flush; until then its failure waits too.
    this.underWay.catch(() => {})
  }

  /** Asked with each batch, so that a filler that was replaced ends soon. */
  private async write(commands: readonly string[][]): Promise<void> {
    const token = await this.redis.use(async (connection) => {
      sameServer(connection, this.epoch)
      const sent = commands.map((command) => connection.send(command))
      const [answer] = await Promise.all([connection.send(['GET', this.loading]), ...sent])
      return answer
    }, BATCH_ANSWER_MS)
    if (token !== this.generation) throw new FillBroken('Redis was emptied, or another process began to fill them')
  }
}
