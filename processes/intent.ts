// In whose name a process sends commands: its own. What it asks for is decided by the state alone, so that asking twice
// changes nothing more; it makes no ids and no secrets.

import { randomUUID } from 'node:crypto'
import type { Intent } from '../commands/intent.ts'

export function ownIntent(nowMs: number): Intent {
  return {
    command: randomUUID(),
    call: null,
    repeated: false,
    actor: null,
    request: null,
    nowMs,
    mint: { id: never, secret: never },
  }
}

function never(): never {
  throw new Error('a process makes no ids')
}
