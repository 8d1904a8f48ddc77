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
