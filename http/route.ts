// The type of a route: path, permissions, request and response schemas, and a handler. The pipeline, the OpenAPI
// document and the permission tests are generated from the route table.

import type { z } from 'zod'
import type { Access } from '../access/authenticate.ts'
import type { BegunPart, CommandContext, CommitPosition } from '../commands/command-context.ts'
import type { Position } from '../domain/event.ts'
import type { NamedKey } from '../queries/board-key.ts'
import type { Example } from './openapi/examples.ts'

/** The authenticated caller, with the permissions that its key has now. */
export type Caller = Access

export interface Call<Query = unknown, Body = unknown, Who = Caller> {
  /** Named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  readonly caller: Who
  readonly context: CommandContext
  readonly ifMatch: string | null
  /** The caller's network address (runtime/network.ts), for limits on failures. */
  readonly network: string
  header(name: string): string | null
  /**
   * Begins a part of the call, which runs at most once under a key of its own and whose recorded bytes are counted by
   * themselves. Throws or rejects as a call with that key would. A promise only if a store must be asked.
   */
  beginPart(part: Part): BegunPart | Promise<BegunPart>
  /** Aborts when the caller disconnects before the answer. */
  gone(): AbortSignal
  /**
   * The latest position in the caller's game that the answer must include: of the write that X-Consistency-Token names,
   * and of the caller's own on this node. Null: none. The views include it already; a cache may not.
   */
  requiredPosition(): Position | null
}

export interface Part {
  /** As an Idempotency-Key; null: none. */
  readonly key: string | null
  /** What the key stands for, as JSON: the same key with another meaning is refused. */
  readonly meaning: readonly unknown[]
  /** The player whose recording limit it counts against; null: none. */
  readonly player: string | null
  /** The key by which it names a leaderboard; null: none. */
  readonly boardKey: NamedKey | null
}

export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The commit position of a write: becomes X-Consistency-Token. Absent on reads. */
  readonly written?: CommitPosition | null
  /** The position of the stream's state when a write found nothing to change: the token if nothing was written. */
  readonly unchangedAt?: CommitPosition | null | undefined
  /** True if the handler has already waited until this node's views include the write. */
  readonly hasWaited?: boolean
  /** Milliseconds to wait until the views include the write. Default: BEHIND_AFTER_MS. */
  readonly maxWaitMs?: number
  /**
   * True if 200 promises an effect that only the views enforce: until they include the write the answer is 503
   * `behind`.
   */
  readonly mustBeVisible?: boolean
  /** True for a repeated call with an Idempotency-Key: becomes Idempotent-Replay. */
  readonly replayed?: boolean
  /** True if the body is one buffer shared by all answers of the route. */
  readonly isShared?: boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: anyone, any valid token, or a token with a permission (`lb:{leaderboard}:scores`, filled in from the
 * path).
 */
export type Needs = 'nothing' | 'token' | { readonly permission: string; readonly or?: string }

export interface Route {
  readonly method: Method
  /** With the closing slash and `:name` parts: `/api/lb/:leaderboard/score/`. Served without the slash too. */
  readonly path: string
  /** One line, for the OpenAPI document. */
  readonly summary: string
  readonly needs: Needs
  /** Requires X-API-Key: otherwise 401 `api_key_required`, before the body is read. */
  readonly byPrefix?: boolean
  /** Checks X-Realtime-Secret on a route without a token: throws 401 `unauthenticated` before the body is read. */
  readonly admits?: (header: (name: string) => string | null) => void
  /** True if a setting switches the route off: the OpenAPI document describes it, and nothing is served there. */
  readonly isOff?: boolean
  /** 403 `tenant_only` to a client key's token. */
  readonly tenantOnly: boolean
  /** 403 `operator_token` to an operator's token of a game: the call makes what would outlive that token. */
  readonly refusesOperatorTokens?: true
  /** Whether it is a write: it appends events, and supports Idempotency-Key and X-Consistency-Token. */
  readonly records: boolean
  /** The player whose recording limit the call counts against. Default: the signed-in one. Null: no player. */
  recordsFor?(caller: Caller, body: never): string | null
  /** True if all that the call records, it records in parts (`Call.beginPart`). */
  readonly inParts?: true
  /** As how many calls it counts, by its body, at the rates of address, key and player. Default: 1. */
  weight?(body: never): number
  /** For a body that is a list. */
  readonly list?: ListBody
  readonly query?: z.ZodType
  /** Absent: the call takes no body (an empty one or `{}` is accepted). */
  readonly body?: z.ZodType
  readonly answers: Readonly<Record<number, z.ZodType>>
  /** The answer is NDJSON: a Readable of lines, each of that schema. */
  readonly lines?: true
  /** The answer has an ETag: 304 without a body if If-None-Match names it. */
  readonly revalidates?: true
  /** Problem codes beyond those of every route. */
  readonly refusals?: readonly string[]
  /** Extra rate limits, by their names in RATE_LIMITS. */
  readonly rates?: readonly ('handshake' | 'guest')[]
  /** The caller is null only for `needs: 'nothing'`. */
  handle(call: Call<never, never, never>): Promise<Answer>
}

/** A body with a list, whose elements the handler checks and refuses one by one. */
export interface ListBody {
  /** The list. What is wrong inside one of its elements makes that a `RefusedElement`. */
  readonly field: string
  /** The most elements. None of a longer list is refused by itself: the body's schema refuses the whole list. */
  readonly max: number
  /** The most bytes of the body, in place of those of other bodies. */
  readonly maxBytes: number
  /** The body with its elements, for the OpenAPI document. */
  readonly documented: z.ZodType
}

export interface Documented extends Omit<Route, 'handle'> {
  /** Whether its body, or its answer, is the bytes of a file. */
  readonly bytes?: 'body' | 'answer'
  /** Of a route whose calls are not recorded for the document. */
  readonly example?: Example
}

interface Typed<Query extends z.ZodType, Body extends z.ZodType>
  extends Omit<Route, 'query' | 'body' | 'handle' | 'recordsFor' | 'weight'> {
  readonly query?: Query
  readonly body?: Body
  recordsFor?(caller: Caller, body: z.output<Body>): string | null
  weight?(body: z.output<Body>): number
}

/** A route for callers with a token. Query and body have the types of their schemas. */
export function route<Query extends z.ZodType = z.ZodUndefined, Body extends z.ZodType = z.ZodUndefined>(
  spec: Typed<Query, Body> & { handle(call: Call<z.output<Query>, z.output<Body>, Caller>): Promise<Answer> },
): Route {
  return spec
}

export function openRoute<Query extends z.ZodType = z.ZodUndefined, Body extends z.ZodType = z.ZodUndefined>(
  spec: Typed<Query, Body> & { readonly needs: 'nothing' } & {
    handle(call: Call<z.output<Query>, z.output<Body>, null>): Promise<Answer>
  },
): Route {
  return spec
}
