// What a simulated command is, for adding one (commands.ts has the list).

import type { CommandContext, CommitPosition } from '../../../commands/command-context.ts'
import type { StoredEvent } from '../../../domain/event.ts'
import type { Random } from '../../random.ts'
import type { Model, Placed } from '../model/model.ts'
import type { Running } from '../world/node.ts'
import type { Mailed } from '../world/world.ts'

/** Who is signed in with a token, or the device that holds a game's key with nobody signed in. */
export interface Bearer {
  readonly game: string
  readonly key: string
  readonly player: string | null
  readonly session: string | null
  /** Unix seconds. */
  readonly expiresAt: number
}

export interface SignedIn extends Bearer {
  readonly player: string
  readonly session: string
  readonly refreshToken: string
}

export interface Ticket {
  readonly game: string
  /** Null: the player with the external id it was made for. */
  readonly player: string | null
  readonly ticket: string
}

export interface KnownUpload extends UploadArgs {
  readonly id: string
  readonly blob: string
}

/** What an upload was begun with. */
export interface UploadArgs {
  readonly bucket: string
  readonly game: string
  readonly as: Bearer | 'tenant'
  readonly path: string
  readonly size: number
}

/** What callers have learned from answers so far: what the next command can be about. */
export interface Known {
  /** Unix milliseconds, by a clock without skew. */
  now(): number
  readonly bearers: SignedIn[]
  readonly guestTokens: { readonly game: string; readonly token: string; readonly player: string }[]
  readonly tickets: Ticket[]
  /** Every code that was mailed. */
  readonly mailed: readonly Mailed[]
  readonly buckets: { readonly id: string; readonly game: string }[]
  readonly uploads: KnownUpload[]
  /** Uploads acknowledged to a caller: bytes stored, or completed. */
  readonly sent: Set<string>
  readonly completed: Set<string>
  readonly downloads: { readonly bucket: string; readonly game: string; readonly url: string; readonly size: number }[]
  readonly games: string[]
  readonly keys: { readonly prefix: string; readonly game: string }[]
  readonly boards: { readonly id: string; readonly game: string }[]
  readonly players: { readonly id: string; readonly game: string }[]
  readonly entries: { readonly id: string; readonly board: string; readonly player: string }[]
  readonly sessions: { readonly id: string; readonly game: string; readonly player: string }[]
}

export interface Ran {
  /** JSON, as HTTP would answer it, without what views count. */
  readonly answer: unknown
  readonly written: CommitPosition | null
  readonly replayed: boolean
  /** A rank that was answered: that of this entry on its board. */
  readonly rank?: { readonly board: string; readonly entry: Placed; readonly rank: number | null }
  /** What else the answer says is so: each of these holds in some state from the beginning of the call to its end. */
  readonly saw?: readonly Saw[]
}

export interface Saw {
  readonly what: string
  /** Read off views: then it may also hold in a state from before the call, no older than what its caller had written. */
  readonly ofViews?: true
  holds(model: Model): boolean
}

/** When a call was made, by the clock of the node that took it. */
export interface Moment {
  /** Unix milliseconds. */
  readonly nowMs: number
  /** The stream in which it says that it changed nothing. */
  readonly answeredIn?: string
}

/** `records`, `nothing` (it succeeds and changes nothing), or the code it is refused with. */
export type Verdict = 'records' | 'nothing' | (string & {})

/** Whatever was answered: it hangs on what the node had heard of by then. */
export const ANYTHING = 'anything'
/**
 * Where a call looks at one thing after another, states may change in between: then all that it may come to by any of them,
 * as they are in one state.
 */
export type Verdicts = Verdict | readonly Verdict[]

interface Spec<Args extends object> {
  readonly name: string
  /** How often it is drawn, against the others. */
  readonly weight: number
  /** Arguments for one call, or null where nothing is known yet that it could be about. */
  generate(random: Random, known: Known): Args | null
  /** Does as its route does: asks queries, sends the command, waits for the view. Adds the answers to `known`. */
  run(node: Running, args: Args, context: CommandContext, known: Known): Promise<Ran>
  /**
   * One event that the call recorded, in log order: `CallAnswered` where it changed nothing. Changes the model; gives the
   * answer the call must have got.
   */
  apply(model: Model, args: Args, event: StoredEvent): unknown
  /** What the call comes to on a given state of things. */
  verdict(model: Model, args: Args, at: Moment): Verdicts
  /** Codes that the call may be refused with although it was answered, or recorded something, before. */
  readonly afterwards?: readonly string[]
}

/** One call with its arguments drawn. */
export interface Call {
  readonly name: string
  readonly args: object
  run(node: Running, context: CommandContext, known: Known): Promise<Ran>
  apply(model: Model, event: StoredEvent): unknown
  verdict(model: Model, at: Moment): Verdicts
  readonly afterwards: readonly string[]
}

export interface SimCommand {
  readonly name: string
  readonly weight: number
  draw(random: Random, known: Known): Call | null
}

export function simCommand<Args extends object>(spec: Spec<Args>): SimCommand {
  const { name, weight } = spec
  return {
    name,
    weight,
    draw(random, known) {
      const args = spec.generate(random, known)
      if (args === null) return null
      return {
        name,
        args,
        run: (node, context, learned) => spec.run(node, args, context, learned),
        apply: (model, event) => spec.apply(model, args, event),
        verdict: (model, at) => spec.verdict(model, args, at),
        afterwards: spec.afterwards ?? [],
      }
    },
  }
}
