// The context of a command that is one step of another command. It has its own id, so that two steps on one stream do
// not record the same events, and the caller's Idempotency-Key does not remember it.

import { hash } from 'node:crypto'
import { uuidOf } from '../credentials/text.ts'
import type { CommandContext } from './command-context.ts'

export function childContext(context: CommandContext, step: string): CommandContext {
  return { ...context, command: uuidOf(hash('sha256', `${context.command}/${step}`)), call: null, repeated: false }
}
