// Fills rankings: writes them to keys that no reader uses yet, then sets the flag that makes them valid in one step,
// but only if Redis lost nothing meanwhile and no other fill began.

import { randomBytes } from 'node:crypto'
import type { Position } from '../../domain/event.ts'
import { FillBroken, type FilledRanking } from '../contract/rankings.ts'
import type { Connection } from './client.ts'
import { type FilledFlag, flagOf, type SetNames } from './rankings-names.ts'
import { BEGIN_FILL, END_FILL, GIVE_UP, MARK } from './rankings-scripts.ts'
import type { Sweeper } from './rankings-sweep.ts'
import type { Redis } from './redis.ts'

const SORT_KEYS_PER_COMMAND = 1_000
/** Bytes per batch. One batch is sent while the next one is read. */
const SORT_KEYS_PER_BATCH = 20_000
const COMMANDS_PER_BATCH = 2_000
/** Timeout in milliseconds. Batches are long, and the server may be writing to disk. */
const BATCH_ANSWER_MS = 10_000

const OVERTAKEN = 'Redis was emptied, or another process began to fill them'

/** A running fill of one set of rankings. */
export class RedisFill {
  private readonly redis: Redis
  private readonly names: SetNames
  private readonly sweeper: Sweeper
  private readonly passes: number
  private readonly generation: string
  private readonly epoch: string

  private constructor(redis: Redis, names: SetNames, sweeper: Sweeper, generation: string, epoch: string) {
    this.redis = redis
    this.names = names
    this.sweeper = sweeper
    this.passes = sweeper.passes
    this.generation = generation
    this.epoch = epoch
  }

  static async begin(redis: Redis, names: SetNames, sweeper: Sweeper): Promise<RedisFill> {
    const generation = randomBytes(6).toString('base64url')
    const epoch = await redis.use(async (connection) => {
      await connection.run(BEGIN_FILL, [names.flag, names.loading], [generation])
      return connection.epoch
    })
    return new RedisFill(redis, names, sweeper, generation, epoch)
  }

  /** Whether no other fill has begun since, and Redis lost nothing. */
  isLast(): Promise<boolean> {
    return this.redis.use(async (connection) => {
      if (connection.epoch !== this.epoch) return false
      return (await connection.send(['GET', this.names.loading])) === this.generation
    })
  }

  /** Returns the flag that is valid from now on. */
  async finish(name: string, at: Position, rankings: AsyncIterable<FilledRanking>): Promise<FilledFlag> {
    const { redis, names, generation, epoch } = this
    const filled = flagOf(generation, epoch, at, name)
    try {
      // Sweep first, because leftovers of an earlier fill may use as much memory again.
      await this.sweeper.since(this.passes)
      await this.write(at, rankings)
      const isFilled = await redis.use((connection) => {
        sameServer(connection, epoch)
        return connection.run(END_FILL, [names.flag, names.loading], [generation, filled.flag])
      })
      if (isFilled !== 1) throw new FillBroken(OVERTAKEN)
      return filled
    } catch (failure) {
      // The written keys are invalid. If they cannot be dropped here, the next fill drops them.
      await this.giveUp(filled).catch(() => {})
      throw failure
    }
  }

  private async write(at: Position, rankings: AsyncIterable<FilledRanking>): Promise<void> {
    const { redis, names, generation, epoch } = this
    const writer = new Writer(redis, names.loading, generation, epoch)
    try {
      for await (const { key, sortKeys } of rankings) {
        await writer.ranking(names.key(generation, key), MARK + at, sortKeys)
      }
    } finally {
      await writer.finish()
    }
  }

  private async giveUp({ flag, generation }: FilledFlag): Promise<void> {
    const { names, sweeper } = this
    // The script may have run although its answer was lost, so drop only keys that are not valid.
    await this.redis.use((connection) => connection.run(GIVE_UP, [names.flag, names.loading], [generation, flag]))
    await sweeper.since(sweeper.passes)
  }
}

function sameServer(connection: Connection, epoch: string): void {
  if (connection.epoch !== epoch) throw new FillBroken('Redis was restarted')
}

class Writer {
  private readonly redis: Redis
  private readonly loading: string
  private readonly generation: string
  private readonly epoch: string
  private commands: string[][] = []
  private sortKeys = 0
  private underWay: Promise<void> = Promise.resolve()

  constructor(redis: Redis, loading: string, generation: string, epoch: string) {
    this.redis = redis
    this.loading = loading
    this.generation = generation
    this.epoch = epoch
  }

  async ranking(key: string, mark: string, batches: AsyncIterable<readonly string[]>): Promise<void> {
    let command = ['ZADD', key, '0', mark]
    for await (const batch of batches) {
      for (const sortKey of batch) {
        command.push('0', sortKey)
        if (command.length < SORT_KEYS_PER_COMMAND * 2) continue
        this.add(command)
        command = ['ZADD', key]
        if (this.isFull()) await this.flush()
      }
    }
    if (command.length > 2) this.add(command)
    if (this.isFull()) await this.flush()
  }

  /** Sends the rest and waits for all answers. */
  async finish(): Promise<void> {
    await this.flush()
    await this.underWay
  }

  private add(command: string[]): void {
    this.commands.push(command)
    this.sortKeys += command.length / 2 - 1
  }

  private isFull(): boolean {
    return this.sortKeys >= SORT_KEYS_PER_BATCH || this.commands.length >= COMMANDS_PER_BATCH
  }

  private async flush(): Promise<void> {
    const { commands } = this
    this.commands = []
    this.sortKeys = 0
    await this.underWay
    this.underWay = this.write(commands)
    // The next flush awaits this promise and its rejection.
    this.underWay.catch(() => {})
  }

  /** Checked with each batch, so that a replaced fill ends soon. */
  private async write(commands: readonly string[][]): Promise<void> {
    const token = await this.redis.use(async (connection) => {
      sameServer(connection, this.epoch)
      const sent = commands.map((command) => connection.send(command))
      const [answer] = await Promise.all([connection.send(['GET', this.loading]), ...sent])
      return answer
    }, BATCH_ANSWER_MS)
    if (token !== this.generation) throw new FillBroken(OVERTAKEN)
  }
}
