// The shape of events in answers to analysts, for the OpenAPI document and the tests.

import { z } from 'zod'
import { count, fields, id, isoTime } from '../fields.ts'

export const eventShape = fields({
  position: z.string().meta({ description: 'Place in the log: opaque. `from` takes it.' }),
  stream: z.string(),
  revision: count,
  id: z.string(),
  type: z.string(),
  time: isoTime,
  data: z.record(z.string(), z.unknown()).meta({ description: 'Names are open; those of deleted players are null.' }),
  meta: z.record(z.string(), z.unknown()),
}).meta({ id: 'Event' })

const heartbeatShape = fields({
  heartbeat: z.string().meta({ description: 'Everything up to this position has been given. `from` takes it.' }),
}).meta({ id: 'Heartbeat' })

export const eventLineShape = z.union([eventShape, heartbeatShape])

export const whyShape = fields({
  score: id,
  leaderboard: id,
  player: id,
  hidden: z
    .boolean()
    .meta({ description: 'Whether the player is banned, and the score therefore nowhere to be seen.' }),
  events: z.array(
    fields({
      effect: z
        .enum(['rules', 'removed', 'began', 'improved', 'hidden', 'shown'])
        .meta({ description: 'What the event did to this score, under the rules in force now.' }),
      event: eventShape,
    }),
  ),
  left_out: count.meta({ description: 'How many of the oldest of these events are not told.' }),
}).meta({ id: 'Why' })
