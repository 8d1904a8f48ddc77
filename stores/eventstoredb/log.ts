// The log in EventStoreDB. It uses the streams whose names begin with one of its prefixes and ignores all others.
// Foreign events in these streams (not JSON, or without our metadata) are reported to `onForeign` and skipped; their
// stream takes no further appends, because its revision never matches the expected one.

import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ANY } from '@eventstore/db-client'
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { StreamErasure } from '../contract/erasure.ts'
import { StoreUnavailable } from '../contract/faults.ts'
import { APPEND_DEADLINE_MS, type Log } from '../contract/log.ts'
import { requireLimit, requireRevision } from '../support/log-arguments.ts'
import { type Access, createAccess, type Right, rightsOn } from './access.ts'
import { createAppender } from './append.ts'
import { checkEventStore, type ServerWarning } from './check.ts'
import { createDecoder } from './decode.ts'
import { createEvents, type Events } from './events.ts'
import { createHead } from './head.ts'
import { createLine, type Line } from './line.ts'
import { requirePosition } from './position.ts'
import { createReading, type Reading } from './reading.ts'
import { denialIn, isStreamDeleted, NoAnswer } from './refusals.ts'
import { parseServer } from './server.ts'
import { type FollowDeps, follow } from './subscription.ts'

export interface EventStoreOptions {
  /** Connection string: `esdb://user:password@host:2113?tls=true`, or `esdb+discover://…` for a cluster. */
  readonly url: string
  /** Name prefixes of our streams. At least one; none empty or beginning with `$`. */
  readonly prefixes: readonly string[]
  /** Milliseconds after which an unanswered append or read fails. Default 5,000. */
  readonly deadlineMs?: number
  /**
   * Milliseconds between two checks whether a subscription is silent; a stall is found within about two. Default 5,000.
   */
  readonly heartbeatMs?: number
  /**
   * Maximum queued events of a subscription. Beyond it the server is paused, and drops the subscription. Default
   * 16,384.
   */
  readonly keptEvents?: number
  /** Rejects servers that production must not use. Default false. */
  readonly production?: boolean
  /** Called for each foreign event in a stream of ours, each time it is read. */
  readonly onForeign?: (stream: string, type: string, id: string) => void
  /** Called at start with each warning about the server. */
  readonly onWarning?: (warning: ServerWarning) => void
  /** Called once when the server begins to deny a permission, and once when it grants it again. */
  readonly onAccess?: (message: string) => void
  /** Called for each call that is denied for a permission, user or password. */
  readonly onDenied?: (right: Right) => void
  /** Called for each connection that replaces one that was lost or fell silent. */
  readonly onReconnect?: () => void
  /** Called each time the server drops a lagging subscription, which then resumes by itself. */
  readonly onDropped?: () => void
}

/** The log; `mayAppend` rejects with the reason while the server denies appends. */
export interface EventStoreLog extends Log {
  mayAppend(): Promise<void>
  readonly streams: StreamErasure
}

const HEARTBEAT_MS = 5_000
/** Milliseconds to retry a stream read while there is no ready leader. */
const READ_AGAIN_FOR_MS = 3_000
const READ_AGAIN_MS = 100
const KEPT_EVENTS = 16_384

/**
 * Connects and checks the server (see `checkEventStore`). Throws a StoresFault if it cannot be used. Appends have their
 * own connection, so that they do not wait behind large pages.
 */
export async function openEventStore(options: EventStoreOptions): Promise<EventStoreLog> {
  const {
    url,
    prefixes,
    deadlineMs = APPEND_DEADLINE_MS,
    heartbeatMs = HEARTBEAT_MS,
    keptEvents = KEPT_EVENTS,
    onAccess = () => {},
    onDenied = () => {},
    onReconnect = () => {},
  } = options
  checkPrefixes(prefixes)
  const server = parseServer(url)
  const { warnings } = await checkEventStore(options)
  for (const warning of warnings) options.onWarning?.(warning)
  const writing = createLine(server, {
    graceMs: deadlineMs,
    onReconnect,
    // Of a frozen leader, a subscription alone would not notice for seconds.
    onLeader: (leader) => line.follow(leader),
  })
  const line = createLine(server, {
    graceMs: deadlineMs,
    onReconnect,
    onLeader: (leader) => writing.follow(leader),
  })
  const decode = createDecoder({ prefixes, onForeign: options.onForeign ?? (() => {}) })
  const closing = new AbortController()
  // Every open subscription listens to this signal, more than Node's default listener limit.
  setMaxListeners(0, closing.signal)
  const access = createAccess(server, { onChange: onAccess, onDenied })
  const reading = watched(createReading({ line, decode, deadlineMs }), access, (error) => {
    // Another server may answer next, or the same one after a restore.
    head.forget()
    return cannotBeRead(server.url.shown, error)
  })
  const head = createHead(reading)
  const events = createEvents(reading, head)
  const probe = `${prefixes[0]}check`
  const { append, mayAppend } = createAppender({ line: writing, events, access, deadlineMs, probe })
  const closed = closing.signal
  const subscribe = createSubscribe({
    line,
    decode,
    prefixes,
    deadlineMs,
    heartbeatMs,
    keptEvents,
    closed,
    head: head.find,
    dropped: options.onDropped ?? (() => {}),
    failed: (error) => void access.failed('readAll', error),
  })
  const readStream = readPatiently(events, deadlineMs, closed)
  const readAll: Log['readAll'] = async (after, limit) => events.all(after, requireLimit(limit))

  async function close(): Promise<void> {
    closing.abort()
    await Promise.all([writing.close(), line.close()])
  }

  const streams = createStreamErasure({ line, append, access, deadlineMs })
  return { append, readStream, readAll, eventAt: events.at, head: head.find, subscribe, close, mayAppend, streams }
}

function checkPrefixes(prefixes: readonly string[]): void {
  if (prefixes.length === 0 || prefixes.some((prefix) => prefix === '' || prefix.startsWith('$'))) {
    throw new TypeError('The log needs the prefixes of its streams')
  }
}

/** Reads streams for commands. Like appends, these reads are retried during an election. */
function readPatiently(events: Events, deadlineMs: number, closed: AbortSignal): Log['readStream'] {
  return async (stream, from, limit) => {
    const [first, maxEvents] = [requireRevision(from), requireLimit(limit)]
    const until = performance.now() + Math.min(READ_AGAIN_FOR_MS, deadlineMs)
    for (;;) {
      try {
        return await events.stream(stream, first, maxEvents)
      } catch (error) {
        if (closed.aborted || performance.now() > until || !mayPass(error)) throw error
        await pause(READ_AGAIN_MS)
      }
    }
  }
}

function createSubscribe(deps: FollowDeps): Log['subscribe'] {
  return async function* subscribe(after, limit, signal) {
    if (after !== null) requirePosition(after)
    yield* follow(deps, after, requireLimit(limit), signal)
  }
}

function watched(reading: Reading, access: Access, failure: (error: unknown) => Error): Reading {
  return {
    page: async (request, what, take) => {
      const right = rightFor(request.getOptions())
      try {
        const count = await reading.page(request, what, take)
        access.succeeded(right)
        return count
      } catch (error) {
        const denial = access.failed(right, error)
        throw denial === null ? failure(error) : new StoreUnavailable(denial, error)
      }
    },
  }
}

function cannotBeRead(url: string, error: unknown): StoreUnavailable {
  const reason = error instanceof Error && error.message !== '' ? error.message : String(error)
  return new StoreUnavailable(`EventStoreDB at ${url} cannot be read now: ${reason}`, error)
}

function rightFor(options: ReadReq.Options | undefined): Right {
  if (options?.hasAll()) return 'readAll'
  const name = options?.getStream()?.getStreamIdentifier()?.getStreamName_asU8()
  return rightsOn(Buffer.from(name ?? []).toString()).read
}

/** Whether a read failed in a way that an election causes, not for a missing permission or a timeout. */
function mayPass(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  return error instanceof StoreUnavailable && !(cause instanceof NoAnswer) && denialIn(cause) === null
}

// Removes streams: a tombstone ends a stream for ever, and stream metadata hides its beginning. The server frees the
// bytes when it is scavenged; until then reads of the whole log return the events.

interface StreamErasureOptions {
  readonly line: Line
  readonly append: Log['append']
  readonly access: Access
  readonly deadlineMs: number
}

function createStreamErasure({ line, append, access, deadlineMs }: StreamErasureOptions): StreamErasure {
  return {
    async deleteStream(stream) {
      try {
        const options = { expectedRevision: ANY, deadline: deadlineMs, requiresLeader: true } as const
        await line.connection().tombstoneStream(stream, options)
        line.heard()
        access.succeeded('deleteStream')
      } catch (error) {
        if (isStreamDeleted(error)) return
        const denial = access.failed('deleteStream', error)
        throw new StoreUnavailable(denial ?? `EventStoreDB: stream ${stream} could not be deleted`, error)
      }
    },
    async truncateStream(stream, before) {
      const id = randomUUID()
      const meta = { v: 1, game: null, command: id, actor: null, request: null, time: new Date(0).toISOString() }
      // Existing metadata is ours, because no other program sets any.
      await append(`$$${stream}`, 'none', [{ id, type: '$metadata', data: { $tb: before }, meta }])
    },
  }
}
