// The types of a simulated command. commands.ts lists the commands.

import type { CommandContext, CommitPosition } from '../../../commands/command-context.ts'
import type { StoredEvent } from '../../../domain/event.ts'
import type { Random } from '../../random.ts'
import type { Model, Placed } from '../model/model.ts'
import type { Running } from '../world/node.ts'
import type { Mailed } from '../world/world.ts'

/** The player who is signed in with a token, or a device that has a game's key and no signed-in player. */
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
  /** Null: the player with the external id that the ticket was made for. */
  readonly player: string | null
  readonly ticket: string
}

export interface KnownUpload extends UploadArgs {
  readonly id: string
  readonly blob: string
}

/** The arguments with which an upload was begun. */
export interface UploadArgs {
  readonly bucket: string
  readonly game: string
  readonly as: Bearer | 'tenant'
  readonly path: string
  readonly size: number
}

/** What callers have learned from answers so far: the possible subjects of the next command. */
export interface Known {
  /** Unix milliseconds, by a clock without skew. */
  now(): number
  /** Whether leaderboards have seasons. */
  readonly hasSeasons: boolean
  readonly bearers: SignedIn[]
  readonly guestTokens: { readonly game: string; readonly token: string; readonly player: string }[]
  readonly tickets: Ticket[]
  /** Every mailed code. */
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
  readonly entries: {
    readonly id: string
    readonly game: string | null
    readonly board: string
    readonly player: string
  }[]
  readonly sessions: { readonly id: string; readonly game: string; readonly player: string }[]
}

export interface Ran {
  /** The answer as JSON, as over HTTP, without values that views count. */
  readonly answer: unknown
  readonly written: CommitPosition | null
  readonly replayed: boolean
  /** An answered rank: that of this entry on its board. */
  readonly rank?: { readonly board: string; readonly entry: Placed; readonly rank: number | null }
  /** The same of the player's best entry in the season that a submission joined. */
  readonly seasonRank?: {
    readonly board: string
    readonly season: number
    readonly player: string
    readonly rank: number | null
  }
  /** Further claims of the answer. Each must hold in some state between the beginning and the end of the call. */
  readonly saw?: readonly Saw[]
}

export interface Saw {
  readonly what: string
  /** Read from views: may also hold in a state before the call, but none older than the caller's last write. */
  readonly ofViews?: true
  holds(model: Model): boolean
}

/** The time of a call, by the clock of the node that handled it. */
export interface CallTime {
  /** Unix milliseconds. */
  readonly nowMs: number
  /** The id of the call's command. */
  readonly command: string
  /** The stream in which the call records that it changed nothing. */
  readonly answeredIn?: string
}

/** `records`, `nothing` (it succeeds and changes nothing), or the code it is refused with. */
export type Verdict = 'records' | 'nothing' | (string & {})

/** Any outcome is right: it depends on what the node had received by then. */
export const ANYTHING = 'anything'
/**
 * A call that checks several things one after another may see different states: these are all the outcomes that any one
 * of its checks may have in one state.
 */
export type Verdicts = Verdict | readonly Verdict[]

interface Spec<Args extends object> {
  readonly name: string
  /** How often it is drawn, relative to the others. */
  readonly weight: number
  /** Draws arguments for one call, or null if there is no subject yet. */
  generate(random: Random, known: Known): Args | null
  /** Does what the route does: queries, sends the command, waits for the view. Adds the answers to `known`. */
  run(node: Running, args: Args, context: CommandContext, known: Known): Promise<Ran>
  /**
   * Applies one event that the call recorded, in log order (`CallAnswered` if it changed nothing), to the model.
   * Returns the answer that the call must have received.
   */
  apply(model: Model, args: Args, event: StoredEvent): unknown
  /** The outcome of the call in a given state. */
  verdict(model: Model, args: Args, at: CallTime): Verdicts
  /** Codes with which the call may be refused although an earlier copy was answered or recorded something. */
  readonly afterwards?: readonly string[]
}

/** One call with drawn arguments. */
export interface Call {
  readonly name: string
  readonly args: object
  run(node: Running, context: CommandContext, known: Known): Promise<Ran>
  apply(model: Model, event: StoredEvent): unknown
  verdict(model: Model, at: CallTime): Verdicts
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
