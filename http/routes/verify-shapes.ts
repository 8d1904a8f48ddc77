// Progress and result of a verification, shared by the OpenAPI document, the route and the verifier (composition/verify.ts).

import { z } from 'zod'
import { count, fields } from '../fields.ts'

const text = z.string().nullable()

const progressShape = fields({
  phase: z.enum(['rebuilding', 'comparing']),
  done: count.meta({ description: 'Events applied, or documents compared.' }),
  share: z.number().meta({ description: 'Approximate progress of the phase, from 0 to 1.' }),
  per_second: count,
  eta_seconds: count.nullable(),
  at: text,
})
const differenceShape = fields({
  view: z.string(),
  collection: text,
  id: text,
  field: text,
  live: text,
  rebuilt: text,
}).meta({ id: 'Difference' })
const resultShape = fields({
  equal: z.boolean(),
  position: z.string().meta({ description: 'The last event that both builds include.' }),
  events: count,
  documents: count,
  ranked: count.nullable(),
  parked: count,
  behind: z.boolean().meta({ description: 'Whether the views stopped before the end of the log.' }),
  differences: z.array(differenceShape),
  found: count.meta({ description: 'Number of differences; at most 1,000 are listed.' }),
})
export const lineShape = z
  .union([
    fields({ progress: progressShape }).meta({ id: 'VerifyProgress' }),
    fields({ result: resultShape }).meta({ id: 'VerifyResult' }),
  ])
  .meta({ id: 'VerifyLine' })

export type Progress = Readonly<z.output<typeof progressShape>>
/** The result with its differences. */
export type Result = Readonly<Omit<z.output<typeof resultShape>, 'differences'>> & {
  readonly differences: readonly Readonly<z.output<typeof differenceShape>>[]
}

export interface VerifyRouteDeps {
  /** Verifies all views and reports progress. Rejects when the signal aborts. */
  run(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Result>
  /** Aborts when this node stops. */
  readonly stopping: AbortSignal
}
