// What a published schema of an event type consists of. The compiler compares each schema with the type of the event
// that the aggregate records, in both directions: a field that is missing, added or of another type does not compile.

import { z } from 'zod'
import type { Decimal } from '../../domain/decimal.ts'
import type { AnyEvent } from '../../domain/event-types.ts'

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

/** Of events without content. */
export const noData = (about: string) => ({ about, data: z.strictObject({}) as z.ZodType<Record<string, never>> })
