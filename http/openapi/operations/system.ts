// Operator's calls for the whole installation, in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

const REBUILD = '/api/sys/rebuild/'

export const SYSTEM: OperationGroup = {
  name: 'System',
  description: 'Verify and rebuild the views, for the operator.',
  operations: {
    'GET /api/sys/status/': {
      id: 'getStatus',
      description:
        'As the node that answers sees it. `health` is what `/health/ready` says, with reasons; `lag` is how far the views are behind the ' +
        'log; `parked` lists streams that a view ignores because an event could not be applied.',
    },
    'GET /api/sys/verify/': {
      id: 'verifyViews',
      description:
        'Rebuilds every view from the log beside the live ones and compares them byte for byte. Lines of progress come each second; ' +
        'the last line is the result. Closing the connection ends it. A node verifies once at a time.',
    },
    [`GET ${REBUILD}`]: {
      id: 'getViewsRebuild',
      description: 'Which builds of the views are active, how far a rebuild is, and how the last one ended.',
    },
    [`POST ${REBUILD}`]: {
      id: 'startViewsRebuild',
      description:
        'Builds the views from the log again, beside the active builds, on all nodes, compares them and switches all nodes at once. ' +
        'It continues after restarts. One rebuild runs at a time.',
    },
    [`DELETE ${REBUILD}`]: {
      id: 'cancelViewsRebuild',
      description: 'The active builds stay as they are. Without a running rebuild it changes nothing.',
    },
    [`POST ${REBUILD}back/`]: {
      id: 'restorePreviousViews',
      description:
        'Makes the builds active that were so before the last switch. Possible within a day after it. A second call undoes the first.',
    },
    [`DELETE ${REBUILD}back/`]: {
      id: 'deletePreviousViews',
      description: 'Frees the space of the previous builds, which cannot be restored afterwards.',
    },
  },
}
