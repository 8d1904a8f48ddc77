// Creates a guest without a session.

import type { CommandContext } from '../../commands/command-context.ts'
import type { CommandDeps } from '../../commands/command-deps.ts'
import { guestCommand } from '../../commands/player.ts'

export async function makeGuest({ handler }: CommandDeps, game: string, name: string | null, context: CommandContext) {
  const id = context.generator.id('player')
  const { aggregate, about, decision } = guestCommand(game, id, name, context)
  return { id, handled: await handler.handle(aggregate, about, context, decision) }
}
