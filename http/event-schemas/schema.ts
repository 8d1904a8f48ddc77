// What a published schema of an event type consists of. The compiler compares each schema with the type of the event
// that the aggregate records, in both directions: a field that is missing, added or of another type does not compile.

import { z } from 'zod'
import type { Decimal } from '../../domain/decimal.ts'
import type { AnyEvent } from '../../domain/event-types.ts'
import { LEVELS } from '../../domain/folder-rules.ts'
import { count, DECIMAL_PATTERN, folderRulesOf } from '../fields.ts'

export interface EventSchema<Data extends z.ZodType = z.ZodType> {
  /** What happened, in one sentence. */
  readonly about: string
  readonly data: Data
}

/** JSON has no brands and no readonly lists. */
type Plain<T> = T extends Decimal
  ? string
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]: Plain<T[K]> }
      : T

type DataOf<Event, Type> = Event extends { readonly type: Type; readonly data: infer Data } ? Plain<Data> : never

type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? unknown : never) : never

type SchemasOf<Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]: EventSchema<z.ZodType<DataOf<Event, Type>>>
}

type Exact<Event, Schemas extends Readonly<Record<string, EventSchema>>> = {
  readonly [Type in keyof Schemas]: Equal<DataOf<Event, Type>, z.output<Schemas[Type]['data']>>
}

/** The schemas of all events of a union: `schemasOf<ScoreEvent>()({ScoreSubmitted: …})`. */
export const schemasOf =
  <Event extends AnyEvent>() =>
  <Schemas extends SchemasOf<Event>>(schemas: Schemas & Exact<Event, Schemas>): Schemas =>
    schemas

export function eventSchema<Shape extends z.ZodRawShape>(about: string, shape: Shape) {
  return { about, data: z.strictObject(shape) }
}

export const noData = (about: string) => ({ about, data: z.strictObject({}) as z.ZodType<Record<string, never>> })

export const idOf = (what: string) => z.string().meta({ description: `The id of ${what}.` })
export const maybeIdOf = (what: string, otherwise: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `The id of ${what}; null: ${otherwise}.` })
export const time = (about: string) => z.string().meta({ description: `${about} ISO 8601, UTC.`, format: 'date-time' })
export const text = (about: string) => z.string().meta({ description: about })
export const maybeText = (about: string) => z.string().nullable().meta({ description: about })
export const bytes = (about: string) => count.meta({ description: about })

export const personal = (about: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${about} Null once the player is deleted, or if there was none.` })

export const decimal = (about: string) =>
  z.string().meta({
    description: `${about} An exact decimal as text.`,
    pattern: DECIMAL_PATTERN,
  })

const ordering = z.enum(['desc', 'asc']).meta({ description: 'desc: the highest is first; asc: the lowest.' })

export const boardRules = z.strictObject({
  ordering,
  secondaryOrdering: ordering,
  unique: z.boolean().meta({ description: 'Whether each player has one entry.' }),
  keep: z.enum(['latest', 'total']).exactOptional().meta({
    description: 'What the entry of a player shows: the latest submission, or the sum of all. Absent: the best.',
  }),
  minScore: decimal('The lowest accepted score.').nullable(),
  maxScore: decimal('The highest accepted score.').nullable(),
})

export const folderRules = folderRulesOf(z.enum(LEVELS))

export const permissions = z.array(z.string()).meta({ description: 'Permissions; `*` stands for any one part.' })
export const sha256 = z.string().nullable().meta({ description: 'SHA-256 of the bytes in hex; null if none was sent.' })

/** An event of the log, by its stream and revision. */
export const reference = z.strictObject({ stream: z.string(), revision: count })
