// Recorded events in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

export const HISTORY: OperationGroup = {
  name: 'History',
  description: 'Recorded events. `/api/schemas/events/` has a JSON Schema of each type.',
  operations: {
    'GET /api/gm/:game/events/': {
      id: 'listEvents',
      description:
        'One event per line of JSON, in log order, read as fast as you read the answer. Continue a broken read with `from` and the ' +
        'last position. With `follow=1` the answer stays open: new events follow as they are recorded, and a heartbeat every 15 ' +
        'seconds.',
    },
    'GET /api/gm/:game/overview/': {
      id: 'readOverview',
      description:
        'What happens in a game: how much is submitted and by how many players, who is first, what stands out, what people changed. ' +
        'Computed at most a minute before; with `X-Consistency-Token`, and after writes of the same caller, from what they changed.',
    },
    'GET /api/sys/events/': {
      id: 'listAllEvents',
      description:
        'The first line describes the log; the events of all games follow, up to the `head` that it names. For exports and backups ' +
        'of a whole installation.',
    },
    'GET /api/sys/backup/': {
      id: 'readBackup',
      description:
        'The first line describes the log; its events as stored follow, then the secrets, then a line with their numbers. Personal ' +
        'text and secrets are encrypted. With `after` there are also authentication codes. For `scorebook backup`; absent where the data is on database servers.',
    },
  },
}
