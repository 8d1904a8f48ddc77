// The inbox of a node: a stream to which scripts write each event of its rooms in order, and which only the node
// reads, on its own connection, because the read blocks. The node deletes what it has read, and detects missing
// entries.

import type { Reply } from './client.ts'
import type { Redis } from './redis.ts'
import { listOf, textOf } from './replies.ts'
import { script } from './script.ts'

/** Maximum bytes that a node may leave unread. Beyond it the inbox is truncated, and the node detects the gap. */
export const INBOX_MOST_BYTES = 32 * 1024 * 1024
/** Approximate overhead per entry. */
export const INBOX_OVERHEAD_BYTES = 64
const READ_AT_MOST = 512
const WAITS_MS = 1_000
const ANSWER_MS = 1_500

/**
 * KEYS: inbox, node. ARGV: the last entry read, bytes of those since the one before. Idempotent.
 */
const READ = script(`local last = tonumber(ARGV[1])
redis.call('XTRIM', KEYS[1], 'MINID', string.format('%.0f-0', last + 1))
if redis.call('EXISTS', KEYS[2]) == 0 or tonumber(redis.call('HGET', KEYS[2], 'read') or '0') >= last then return 0 end
redis.call('HINCRBY', KEYS[2], 'unread', -tonumber(ARGV[2]))
redis.call('HSET', KEYS[2], 'read', ARGV[1])
return 1`)

export interface Inbox {
  readonly epoch: string
  /** Prefix of its keys; `life` is the node incarnation that owns it. */
  readonly base: string
  readonly incarnation: string
}

/** The inbox has lost entries, or Redis was restarted. */
export class InboxLost extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'InboxLost'
  }
}

/** Reads an inbox from its beginning; each call blocks for up to a second. */
export class InboxReader {
  private readonly redis: Redis
  private readonly inbox: Inbox
  private readonly keys: readonly [string, string]
  private last = 0
  private toTell: readonly string[] | null = null

  constructor(redis: Redis, inbox: Inbox) {
    this.redis = redis
    this.inbox = inbox
    this.keys = [`${inbox.base}inbox:${inbox.incarnation}`, `${inbox.base}node:${inbox.incarnation}`]
  }

  /**
   * The next entries, or none after a second. Rejects with InboxLost, or with StoreUnavailable: a retry then misses nothing.
   */
  async next(): Promise<string[]> {
    const [inbox] = this.keys
    const words = [
      'XREAD',
      'COUNT',
      String(READ_AT_MOST),
      'BLOCK',
      String(WAITS_MS),
      'STREAMS',
      inbox,
      `${this.last}-0`,
    ]
    const found = await this.redis.use(async ({ epoch, run, send }) => {
      if (epoch !== this.inbox.epoch) throw new InboxLost('Redis was restarted')
      const told = this.toTell === null ? null : run(READ, this.keys, this.toTell)
      const [reply] = await Promise.all([send(words), told])
      return reply
    }, WAITS_MS + ANSWER_MS)
    this.toTell = null
    return this.taken(found)
  }

  private taken(found: Reply): string[] {
    if (found === null) return []
    // One stream was asked for: its name, and the entries of it.
    const [, rows] = listOf(listOf(found)[0])
    const entries: string[] = []
    let bytes = 0
    for (const row of listOf(rows)) {
      const [id, fields] = listOf(row)
      const entry = textOf(listOf(fields)[1])
      const place = Number.parseInt(textOf(id), 10)
      if (place !== this.last + 1) throw new InboxLost(`entries ${this.last + 1} to ${place - 1} were no longer there`)
      this.last = place
      bytes += Buffer.byteLength(entry) + INBOX_OVERHEAD_BYTES
      entries.push(entry)
    }
    this.toTell = [String(this.last), String(bytes)]
    return entries
  }
}
