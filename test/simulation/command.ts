// What a simulated command is, for whoever adds one (commands.ts has the list).

import type { Intent, Written } from '../../commands/intent.ts'
import type { StoredEvent } from '../../domain/event.ts'
import type { Model, Placed } from './model.ts'
import type { Running } from './node.ts'
import type { Random } from './random.ts'

/** What callers have learned from answers so far: what the next command can be about. */
export interface Known {
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
  readonly written: Written | null
  readonly replayed: boolean
  /** A rank that was answered: that of this entry on its board. */
  readonly rank?: { readonly board: string; readonly entry: Placed; readonly rank: number | null }
}

/** `records`, `nothing` (it succeeds and changes nothing), or the code it is refused with. */
export type Verdict = 'records' | 'nothing' | (string & {})

/** Whatever was answered: it hangs on what the node had heard of by then. */
export const ANYTHING = 'anything'

interface Spec<Args extends object> {
  readonly name: string
  /** How often it is drawn, against the others. */
  readonly weight: number
  /** Arguments for one call, or null where nothing is known yet that it could be about. */
  generate(random: Random, known: Known): Args | null
  /** Does as its route does: asks queries, sends the command, waits for the view. Adds to `known` what it was told. */
  run(node: Running, args: Args, intent: Intent, known: Known): Promise<Ran>
  /**
   * One event that the call recorded, in log order: `CallAnswered` where it changed nothing. Changes the model; gives the
   * answer the call must have got.
   */
  apply(model: Model, args: Args, event: StoredEvent): unknown
  /** What the call comes to on a given state of things. */
  verdict(model: Model, args: Args): Verdict
}

/** One call with its arguments drawn. */
export interface Call {
  readonly name: string
  readonly args: object
  run(node: Running, intent: Intent, known: Known): Promise<Ran>
  apply(model: Model, event: StoredEvent): unknown
  verdict(model: Model): Verdict
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
        run: (node, intent, learned) => spec.run(node, args, intent, learned),
        apply: (model, event) => spec.apply(model, args, event),
        verdict: (model) => spec.verdict(model, args),
      }
    },
  }
}
