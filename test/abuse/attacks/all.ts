// All attacks, in the order of the table "What each caller can hold" in docs/operations.md.

import type { Attack } from '../attack.ts'
import { BODY_ATTACKS } from './bodies.ts'
import { CONNECTION_ATTACKS } from './connections.ts'
import { FILE_ATTACKS } from './files.ts'
import { OPERATOR_ATTACKS } from './operators.ts'
import { READ_ATTACKS } from './reads.ts'
import { ROOM_ATTACKS } from './rooms.ts'
import { SIGN_IN_ATTACKS } from './sign-in.ts'

export const ATTACKS: readonly Attack[] = [
  ...CONNECTION_ATTACKS,
  ...BODY_ATTACKS,
  ...READ_ATTACKS,
  ...SIGN_IN_ATTACKS,
  ...OPERATOR_ATTACKS,
  ...FILE_ATTACKS,
  ...ROOM_ATTACKS,
]
