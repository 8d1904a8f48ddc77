// A client library under test: the operations of docs/how-to/conformance.md.

import type { ApiKey } from '../../clients/javascript/signing.ts'

/** The game of a suite, and the keys with which the client begins. */
export interface Opening {
  /** Of a proxy before the server, which causes the faults of `network`. */
  readonly url: string
  readonly game: string
  readonly server_key: ApiKey
  readonly client_key: ApiKey
  /** Names of the guests by caller. */
  readonly guests: Readonly<Record<string, string>>
}

export interface Opened {
  /** The ids of the guests by caller. */
  readonly players: Readonly<Record<string, string>>
}

export interface SentCall {
  readonly as: string
  readonly method: string
  /** From `/api/` on. */
  readonly path: string
  readonly body?: unknown
  readonly key?: string | undefined
}

/** The fields of a problem document, or `{code, detail}` of an event. Other failures are errors of other classes. */
export class Refused extends Error {
  readonly fields: Readonly<Record<string, unknown>>
  constructor(fields: Readonly<Record<string, unknown>>) {
    super(`refused: ${JSON.stringify(fields)}`)
    this.fields = fields
  }
}

export interface Signing {
  readonly secret?: string | undefined
  readonly private_key?: string | undefined
  readonly request_id: string
  readonly nonce: string
  readonly unix_ts: number
  readonly permissions: readonly string[]
}

export interface Signature {
  readonly message: string
  readonly signature: string
}

export interface Driver {
  /** What the client has besides calls. */
  readonly supports: ReadonlySet<'rooms' | 'sign'>
  sign(vector: Signing): Promise<Signature>
  /** Begins a suite: forgets everything before. */
  open(opening: Opening): Promise<Opened>
  call(sent: SentCall): Promise<unknown>
  connect(name: string, as: string): Promise<void>
  emit(on: string, event: string, body: object): Promise<unknown>
  /** Takes events up to the next one of this name. */
  hears(on: string, event: string): Promise<unknown>
  cut(name: string): Promise<void>
  restore(name: string): Promise<void>
  /** Closes all connections to the rooms. */
  closeRooms(): Promise<void>
  end(): Promise<void>
}
