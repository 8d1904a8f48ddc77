// The inbox of a node: a Redis stream. The room scripts append each event of the node's rooms in order. Only the node
// reads it, on a connection of its own, because the read blocks. It deletes the entries that it has read, and detects
// missing ones.

import { listOf, type Reply, script, textOf } from './client.ts'
import type { Redis } from './redis.ts'

/** Maximum bytes that a node may leave unread. Beyond it the inbox is truncated, and the node detects the gap. */
export const MAX_INBOX_BYTES = 32 * 1024 * 1024
/** Approximate overhead per entry. */
export const INBOX_OVERHEAD_BYTES = 64
const MAX_ENTRIES_READ = 512
const WAITS_MS = 1_000
const ANSWER_MS = 1_500

/** KEYS: inbox, node. ARGV: the last entry read, bytes read since the previous call. Idempotent. */
const READ = script(`local last = tonumber(ARGV[1])
redis.call('XTRIM', KEYS[1], 'MINID', string.format('%.0f-0', last + 1))
if redis.call('EXISTS', KEYS[2]) == 0 or tonumber(redis.call('HGET', KEYS[2], 'read') or '0') >= last then return 0 end
redis.call('HINCRBY', KEYS[2], 'unread', -tonumber(ARGV[2]))
redis.call('HSET', KEYS[2], 'read', ARGV[1])
return 1`)

export interface Inbox {
  readonly epoch: string
  /** Prefix of its keys. */
  readonly base: string
  /** The node incarnation that owns it. */
  readonly incarnation: string
}

/** The inbox has lost entries, or Redis was restarted. */
export class InboxLost extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'InboxLost'
  }
}

/** Reads an inbox from its beginning; each call blocks for up to a second. */
export class InboxReader {
  private readonly redis: Redis
  private readonly inbox: Inbox
  private readonly keys: readonly [string, string]
  private last = 0
  private toRead: readonly string[] | null = null

  constructor(redis: Redis, inbox: Inbox) {
    this.redis = redis
    this.inbox = inbox
    this.keys = [`${inbox.base}inbox:${inbox.incarnation}`, `${inbox.base}node:${inbox.incarnation}`]
  }

  /**
   * The next entries, or none after a second. Rejects with InboxLost, or with StoreUnavailable, after which a retry
   * misses nothing.
   */
  async next(): Promise<string[]> {
    const [inbox] = this.keys
    const words = [
      'XREAD',
      'COUNT',
      String(MAX_ENTRIES_READ),
      'BLOCK',
      String(WAITS_MS),
      'STREAMS',
      inbox,
      `${this.last}-0`,
    ]
    const found = await this.redis.use(async ({ epoch, run, send }) => {
      if (epoch !== this.inbox.epoch) throw new InboxLost('Redis was restarted')
      const acknowledging = this.toRead === null ? null : run(READ, this.keys, this.toRead)
      const [reply] = await Promise.all([send(words), acknowledging])
      return reply
    }, WAITS_MS + ANSWER_MS)
    this.toRead = null
    return this.parsed(found)
  }

  private parsed(found: Reply): string[] {
    if (found === null) return []
    // The reply for one stream: its name and entries.
    const [, rows] = listOf(listOf(found)[0])
    const entries: string[] = []
    let bytes = 0
    for (const row of listOf(rows)) {
      const [id, fields] = listOf(row)
      const entry = textOf(listOf(fields)[1])
      const index = Number.parseInt(textOf(id), 10)
      if (index !== this.last + 1) throw new InboxLost(`entries ${this.last + 1} to ${index - 1} were no longer there`)
      this.last = index
      bytes += Buffer.byteLength(entry) + INBOX_OVERHEAD_BYTES
      entries.push(entry)
    }
    this.toRead = [String(this.last), String(bytes)]
    return entries
  }
}
