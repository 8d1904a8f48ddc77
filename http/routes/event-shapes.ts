// Response schemas of the event history.

import { z } from 'zod'
import { count, fields, id, isoTime } from '../fields.ts'

export const eventShape = fields({
  position: z.string().meta({ description: 'Opaque position in the log; can be sent as `from`.' }),
  stream: z.string(),
  revision: count,
  id: z.string(),
  type: z.string(),
  time: isoTime,
  data: z
    .record(z.string(), z.unknown())
    .meta({ description: 'Player names are decrypted; those of deleted players are null.' }),
  meta: z.record(z.string(), z.unknown()),
}).meta({ id: 'Event' })

const heartbeatShape = fields({
  heartbeat: z.string().meta({ description: 'All events up to this position have been sent. Can be sent as `from`.' }),
}).meta({ id: 'Heartbeat' })

export const eventLineShape = z.union([eventShape, heartbeatShape]).meta({ id: 'EventLine' })

export const whyShape = fields({
  score: id,
  leaderboard: id,
  player: id,
  hidden: z.boolean().meta({ description: 'Whether the score is hidden because the player is banned.' }),
  events: z.array(
    fields({
      effect: z
        .enum(['rules', 'removed', 'began', 'improved', 'hidden', 'shown'])
        .meta({ description: 'What the event did to this score, under the current rules.' }),
      event: eventShape,
    }).meta({ id: 'Explanation' }),
  ),
  left_out: count.meta({ description: 'How many of the oldest events are left out.' }),
}).meta({ id: 'Why' })
