// One connection of the client library, opened and never reopened: the library neither reconnects nor resends, so a
// command either went out on this connection or not at all.

import { createHash } from 'node:crypto'
import { createClient, ErrorReply } from 'redis'
import { withTimeout } from '../../runtime/with-timeout.ts'
import { StoresFault } from '../contract/faults.ts'

export type Reply = null | number | string | readonly Reply[]

export interface Connection {
  /**
   * Identifies a period in which this server has certainly lost no acknowledged write. Data written in another epoch
   * counts as lost, because a server that syncs every second may lose the last seconds.
   */
  readonly epoch: string
  send(args: readonly string[]): Promise<Reply>
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<Reply>
  destroy(): void
}

/** Calls `ended` once when the connection breaks. Rejects with the library's error if it cannot be opened. */
export async function openConnection(
  address: Address,
  answerMs: number,
  ended: (cause: unknown) => void,
): Promise<Connection> {
  const client = createClient({
    url: address.url,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // Callers set their own timeout, which also covers commands without an answer.
    commandOptions: { timeout: 0 },
    socket: { reconnectStrategy: false, connectTimeout: answerMs },
  })
  client.on('error', ended)
  const send = (args: readonly string[]) => client.sendCommand<Reply>(args)
  const opening = client.connect().then(() => epochOf(send))
  try {
    const epoch = await withTimeout(answerMs, opening)
    return { epoch, send, run: (...call) => runScript(send, ...call), destroy: () => client.destroy() }
  } catch (failure) {
    opening.catch(() => {})
    client.destroy()
    throw failure
  }
}

type Send = (args: readonly string[]) => Promise<Reply>

/** By hash. Sends the text once to a server that does not know the hash. */
async function runScript(send: Send, script: Script, keys: readonly string[], args: readonly string[]): Promise<Reply> {
  const rest = [String(keys.length), ...keys, ...args]
  try {
    return await send(['EVALSHA', script.hash, ...rest])
  } catch (failure) {
    if (!(failure instanceof ErrorReply && failure.message.startsWith('NOSCRIPT'))) throw failure
    return await send(['EVAL', script.source, ...rest])
  }
}

/** Fields of INFO, by name. */
export async function readInfo(send: Send): Promise<Map<string, string>> {
  const text = String(await send(['INFO']))
  return new Map(
    text
      .split('\r\n')
      .map((line): [string, string] => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]),
  )
}

/**
 * The id of the server's run. It changes with each restart or failover, after which acknowledged writes may be lost.
 * Data written in another epoch does not count.
 */
async function epochOf(send: Send): Promise<string> {
  const info = await readInfo(send)
  if (info.get('loading') !== '0') throw new ErrorReply('LOADING it is reading its data')
  return info.get('run_id') ?? ''
}

export interface Address {
  readonly url: string
  /** `redis://host:port/database`, without user and password. */
  readonly shown: string
}

/** Throws StoresFault if it is not a Redis URL. */
export function addressOf(url: string): Address {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !['redis:', 'rediss:'].includes(parsed.protocol) || parsed.hostname === '') {
    throw new StoresFault(
      'REDIS_URL is not the URL of a Redis server. Set one like redis://user:password@host:6379/0 (rediss:// for TLS), ' +
        'with special characters of the password percent-encoded.',
    )
  }
  const database = parsed.pathname.length > 1 ? parsed.pathname : ''
  return { url, shown: `${parsed.protocol}//${parsed.hostname}:${parsed.port || '6379'}${database}` }
}

export interface Script {
  readonly source: string
  readonly hash: string
}

export function script(source: string): Script {
  return { source, hash: createHash('sha1').update(source).digest('hex') }
}

// An unexpected reply is a bug, or a server that is not what it claims to be. Each function throws a TypeError for any
// other type.

export function listOf(reply: Reply | undefined): readonly Reply[] {
  return Array.isArray(reply) ? reply : unlike('a list', reply)
}

export const textOf = (reply: Reply | undefined): string => (typeof reply === 'string' ? reply : unlike('text', reply))

/** Accepts a number or its text: Redis truncates Lua numbers to integers, so scripts return others as text. */
export function numberOf(reply: Reply | undefined): number {
  const number = typeof reply === 'string' && reply !== '' ? Number(reply) : reply
  return typeof number === 'number' && !Number.isNaN(number) ? number : unlike('a number', reply)
}

export const textsOf = (reply: Reply | undefined): readonly string[] => listOf(reply).map(textOf)

/** Checks that the reply is one of a few words. */
export function wordOf<Word extends string>(reply: Reply | undefined, ...words: readonly Word[]): Word {
  return words.find((word) => word === reply) ?? unlike(words.join(' or '), reply)
}

/** Null for a nil reply, which Lua's `false` becomes. */
export const orNull = <T>(read: (reply: Reply) => T, reply: Reply | undefined): T | null =>
  reply === null ? null : read(reply ?? unlike('an answer', reply))

const SHOWN_CHARACTERS = 100

function unlike(wanted: string, reply: unknown): never {
  throw new TypeError(`Redis answered ${JSON.stringify(reply)?.slice(0, SHOWN_CHARACTERS)} instead of ${wanted}`)
}
