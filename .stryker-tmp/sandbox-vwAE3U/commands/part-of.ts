// A part of a command that is a command of its own on another stream: it is not remembered by the caller's
// Idempotency-Key, and its id is another one, so that no two parts on one stream make the same events.

import { hash } from 'node:crypto'
import { uuidOf } from '../credentials/text.ts'
import type { CommandContext } from './command-context.ts'

export function partOf(context: CommandContext, part: string): CommandContext {
  return { ...context, command: uuidOf(hash('sha256', `${context.command}/${part}`)), call: null, repeated: false }
}
