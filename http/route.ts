// A route is data: where it is, who may call it, what it takes, what it answers, and a handler that returns
// {status, body}. The pipeline, the OpenAPI document and the permission matrix of the tests are made from this table.

import type { z } from 'zod'
import type { Access } from '../access/authenticate.ts'
import type { Intent, Written } from '../commands/intent.ts'

/** Who calls, as proven by the bearer token and narrowed to what the key holds now. */
export type Caller = Access

export interface Call<Query = unknown, Body = unknown, Who = Caller> {
  /** Named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  readonly caller: Who
  readonly intent: Intent
  /** The value of If-Match, or null. */
  readonly ifMatch: string | null
  /** Where the call comes from (pipeline/network.ts), for limits on failures. */
  readonly network: string
  header(name: string): string | null
  /** Aborts when the caller goes away before the answer, with a refusal that nobody hears. */
  gone(): AbortSignal
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** What a write wrote: becomes X-Consistency-Token. Absent on reads. */
  readonly written?: Written | null
  /** Where the stream stood that a write found as it should be: told where nothing was written. */
  readonly unchangedAt?: Written | null | undefined
  /** True where the handler has waited for this node's views to see what it wrote. */
  readonly hasWaited?: boolean
  /** How long the answer waits for these views at most, in milliseconds; left out: as long as a read waits. */
  readonly maxWaitMs?: number
  /**
   * True where 200 would promise what only the views can keep: while they have not seen it the call is 503 `behind`.
   */
  readonly mustBeVisible?: boolean
  /** True where an Idempotency-Key met its first answer: becomes Idempotent-Replay. */
  readonly replayed?: boolean
  /** True where the body is one buffer that all answers of the route share. */
  readonly isShared?: boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: nobody asked, any token of the game, or one that carries a permission (`lb:{leaderboard}:scores`,
 * filled from the path).
 */
export type Needs = 'nothing' | 'token' | { readonly permission: string; readonly or?: string }

export interface Route {
  readonly method: Method
  /** With the closing slash and `:name` parts: `/api/lb/:leaderboard/score/`. Served without the slash too. */
  readonly path: string
  /** One line, for the OpenAPI document. */
  readonly summary: string
  readonly needs: Needs
  /** Whether the caller names a key in X-API-Key: 401 `api_key_required` without, before the body is looked at. */
  readonly byPrefix?: boolean
  /** For a route without a token that asks for something else instead: throws before the body is looked at. */
  readonly admits?: (header: (name: string) => string | null) => void
  /** 403 `tenant_only` to a client key's token. */
  readonly tenantOnly: boolean
  /** Whether it appends events: then Idempotency-Key and X-Consistency-Token mean something. */
  readonly records: boolean
  /** The player whose recorded bytes the call counts to, where that need not be the signed-in one. Null: none's. */
  recordsFor?(caller: Caller, body: never): string | null
  readonly query?: z.ZodType
  /** Absent: the call takes no body (an empty one or `{}` is accepted). */
  readonly body?: z.ZodType
  /** Status -> shape of the answer. */
  readonly answers: Readonly<Record<number, z.ZodType>>
  /** Where the answer is a stream of lines, each of that shape; the body that the handler gives is a Readable then. */
  readonly lines?: true
  /** Codes it refuses with beyond those every route has. */
  readonly refusals?: readonly string[]
  /** Which extra rate buckets it draws on, by name in the rates' configuration. */
  readonly rates?: readonly ('handshake' | 'guest')[]
  /** For `needs: 'nothing'` the caller is null; else it is there. */
  handle(call: Call<never, never, never>): Promise<Answer>
}

interface Typed<Query extends z.ZodType, Body extends z.ZodType>
  extends Omit<Route, 'query' | 'body' | 'handle' | 'recordsFor'> {
  readonly query?: Query
  readonly body?: Body
  recordsFor?(caller: Caller, body: z.output<Body>): string | null
}

/** A route for a caller with a token; query and body arrive as their schemas' output. */
export function route<Query extends z.ZodType = z.ZodUndefined, Body extends z.ZodType = z.ZodUndefined>(
  spec: Typed<Query, Body> & { handle(call: Call<z.output<Query>, z.output<Body>, Caller>): Promise<Answer> },
): Route {
  return spec
}

/** A route that asks for no token. */
export function openRoute<Query extends z.ZodType = z.ZodUndefined, Body extends z.ZodType = z.ZodUndefined>(
  spec: Typed<Query, Body> & { readonly needs: 'nothing' } & {
    handle(call: Call<z.output<Query>, z.output<Body>, null>): Promise<Answer>
  },
): Route {
  return spec
}
