// A part of a command that is a command of its own on another stream: it is not remembered by the caller's
// Idempotency-Key, and its id is another one, so that no two parts on one stream make the same events.

import { hash } from 'node:crypto'
import { uuidOf } from '../credentials/text.ts'
import type { Intent } from './intent.ts'

export function partOf(intent: Intent, part: string): Intent {
  return { ...intent, command: uuidOf(hash('sha256', `${intent.command}/${part}`)), call: null, repeated: false }
}
