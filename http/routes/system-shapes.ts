// Response schema of the status of an installation.

import { z } from 'zod'
import { count, fields } from '../fields.ts'

const healthShape = fields({
  status: z.enum(['ready', 'degraded', 'not ready']).meta({ description: 'As `/health/ready` answers it.' }),
  reasons: z
    .record(z.string(), z.string())
    .meta({ description: 'What does not answer as it should, and why.', examples: [{}] }),
}).meta({ id: 'Health' })

const lagShape = fields({
  ms: count.nullable().meta({
    description:
      'Milliseconds for which the oldest event that the views lack has waited; 0 if they lack none; null: unknown.',
  }),
  log: z.string().nullable().meta({ description: 'Position of the last event in the log; null: the log is empty.' }),
  views: z.string().nullable().meta({ description: 'Position that all views have reached; null: unknown.' }),
}).meta({ id: 'Lag' })

const parkedShape = fields({
  count: count.meta({ description: 'Number of streams that a view ignores since an event could not be applied.' }),
  streams: z
    .array(
      fields({
        view: z.string(),
        stream: z.string(),
        position: z.string().meta({ description: 'Position of the event that could not be applied.' }),
      }).meta({ id: 'ParkedStream' }),
    )
    .meta({ description: 'At most 100 of them.' }),
}).meta({ id: 'Parked' })

const versionsShape = fields({
  server: z.string().meta({ description: 'Version of this program.', examples: ['0.2.0'] }),
  node: z.string().meta({ description: 'Version of Node.js.', examples: ['v24.21.0'] }),
  views: z.array(z.string()).meta({ description: 'The active views with their versions, and builds after a `+`.' }),
}).meta({ id: 'Versions' })

export const statusShape = fields({
  health: healthShape,
  lag: lagShape,
  parked: parkedShape,
  versions: versionsShape,
}).meta({ id: 'Status' })

export type Status = z.output<typeof statusShape>

const text = z.string().nullable()

const progressShape = fields({
  phase: z.enum(['checking', 'rebuilding', 'comparing']),
  done: count.meta({ description: 'Events whose revisions were checked, events applied, or documents compared.' }),
  share: z.number().meta({ description: 'Approximate progress of the phase, from 0 to 1.' }),
  per_second: count,
  eta_seconds: count.nullable(),
  at: text,
})
export const differenceShape = fields({
  view: z.string(),
  collection: text,
  id: text,
  field: text,
  live: text,
  rebuilt: text,
}).meta({ id: 'Difference' })
const revisionFaultShape = fields({
  stream: z.string(),
  position: z.string().meta({ description: 'Of the event.' }),
  expected: count.meta({ description: 'The revision that comes next in the stream.' }),
  revision: count.meta({ description: 'Of the event. Higher: a gap, events may be missing. Lower: a duplicate.' }),
}).meta({ id: 'RevisionFault' })
export const revisionFaultsShape = fields({
  faults: z.array(revisionFaultShape),
  found: count.meta({ description: 'Number of gaps and duplicates; at most 100 are listed.' }),
}).meta({ id: 'RevisionFaults' })
const resultShape = fields({
  equal: z.boolean().meta({ description: 'Whether nothing differs, and no revision of the log is at fault.' }),
  position: z.string().meta({ description: 'The last event that both builds include.' }),
  events: count,
  documents: count,
  ranked: count.nullable(),
  parked: count,
  behind: z.boolean().meta({ description: 'Whether the views stopped before the end of the log.' }),
  differences: z.array(differenceShape),
  found: count.meta({ description: 'Number of differences; at most 1,000 are listed.' }),
  revisions: revisionFaultsShape,
})
export const lineShape = z
  .union([
    fields({ progress: progressShape }).meta({ id: 'VerifyProgress' }),
    fields({ result: resultShape }).meta({ id: 'VerifyResult' }),
  ])
  .meta({ id: 'VerifyLine' })

export type Progress = Readonly<z.output<typeof progressShape>>
export type Result = Readonly<Omit<z.output<typeof resultShape>, 'differences' | 'revisions'>> & {
  readonly differences: readonly Readonly<z.output<typeof differenceShape>>[]
  readonly revisions: {
    readonly faults: readonly Readonly<z.output<typeof revisionFaultShape>>[]
    readonly found: number
  }
}

export interface VerifyRouteDeps {
  /** Verifies all views and reports progress. Rejects when the signal aborts. */
  run(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Result>
  /** When the last verification of the installation ended, and its result; null: there was none. */
  last(): Promise<{ readonly at: string; readonly equal: boolean } | null>
  readonly stopping: AbortSignal
}
