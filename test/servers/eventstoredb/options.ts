// Options and controls of the test server. The defaults are those of a real node of 23.10; long times can be shortened.

import type { Right, User } from './access.ts'
import type { Identity } from './front.ts'

export interface EventStoreOptions {
  /** Port on 127.0.0.1; 0 (default): a free one. Restarts keep it. */
  readonly port?: number
  /** Like `--mem-db`: a restart loses everything, and GET /info/options reports it. Default false. */
  readonly inMemory?: boolean
  /** The file to which commits are appended before they are answered, and that is loaded at start. */
  readonly dataFile?: string
  /** The node writes system records at each start, and `writeStats` works as on a real node. Default false. */
  readonly systemEvents?: boolean
  /** System projections: two link events (`$ce-…`, `$et-…`) follow each event of a client's stream. Default false. */
  readonly systemLinks?: boolean
  /** Milliseconds between the server's own stats records; 0 (default): none. */
  readonly statsEveryMs?: number
  /** Milliseconds between accepting and committing an append; 0 (default): after all received data has been read. */
  readonly flushMs?: number
  /** How long a second copy of an append in flight waits before its timeout: batch 2,000, unary 3,000. */
  readonly duplicateBatchMs?: number
  readonly duplicateUnaryMs?: number
  /**
   * How many further copies of an append in flight succeed before others time out; 0. A real server answered 0 or 1.
   */
  readonly copiesAnswered?: number
  /** Milliseconds after which the second reply to a malformed batch append is sent; 2,000. */
  readonly secondReplyMs?: number
  /** Largest append in bytes of event data; 1,048,576. */
  readonly maxAppendBytes?: number
  /** Event ids remembered for `any` and `stream_exists`; 110,000 (8 MiB). */
  readonly rememberedIds?: number
  /** Events a live subscription may lag behind before it is dropped; 512. */
  readonly liveBuffer?: number
  /** Unix milliseconds: the clock by which the deadlines of appends pass; Date.now. */
  readonly now?: () => number
  /** Connections speak TLS, with this certificate; without it they are plain. */
  readonly identity?: Identity
  /** By name. Without it anybody may do everything, as with `--insecure`. */
  readonly users?: Readonly<Record<string, User>>
}

export interface RestartOptions {
  /** `kill` (default): every connection is reset, as by kill -9. `stop`: calls are ended first, as by SIGTERM. */
  readonly by?: 'kill' | 'stop'
  /** How long the port answers "Server Is Not Ready" after it is open again; 0. */
  readonly notReadyMs?: number
}

export interface EventStoreServer {
  /** `esdb://127.0.0.1:<port>?tls=false`, with TLS `?tls=true`. */
  readonly url: string
  readonly port: number
  /**
   * Resets every connection and closes the port (`stop`: ends the calls first). `restart`
   * opens it again with the same data.
   */
  stop(by?: 'kill' | 'stop'): Promise<void>
  /** As stop and start: what was committed is still there (not with `inMemory`), what was remembered in memory is not.
   *  Resolves when the port is open again, also where the node is not ready yet. */
  restart(options?: RestartOptions): Promise<void>

  /** The next appends are stored and never answered. */
  loseAnswers(count: number): void
  /** The next appends are neither stored nor answered. */
  loseRequests(count: number): void
  /** The next append is refused as a conflict, whatever it expects; nothing is written. */
  conflictOnce(): void
  /**
   * Every call is held for so many milliseconds before anything is done with it; 0 ends it. Deadlines pass meanwhile.
   */
  slow(ms: number): void
  /** Resets every connection; the port stays open. */
  cut(): void
  /** Port open, nothing read and nothing answered on any connection, not even pings, until `thaw`. */
  freeze(): void
  thaw(): void
  /**
   * Subscriptions open now fall silent, without an error; with `also: 'new'` those opened
   * later too (they are confirmed).
   */
  stall(also?: 'new'): void
  /** All continue from where they fell silent. */
  unstall(): void
  /** Closes the port; connections stay (`cut` ends them). */
  refuse(): Promise<void>
  /** Opens it again. */
  accept(): Promise<void>

  /** Gives a user a right, or withdraws it. */
  grant(user: string, right: Right): void
  withdraw(user: string, right: Right): void

  /** Writes one `$statsCollected` record. */
  writeStats(): void
  /**
   * How many subscriptions and connections are open now; and how many appends, and reads of single streams, were
   * requested since the start of the object.
   */
  counts(): {
    readonly subscriptions: number
    readonly appends: number
    readonly streamReads: number
    readonly connections: number
  }
}
