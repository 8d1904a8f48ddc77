// `scorebook game delete`: deletes a game with all its data for good. Requires the game's name as confirmation.

import type { Command } from 'commander'
import { asOperator } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './examples.ts'
import { UsageFault } from './failure.ts'

const WHAT_HAPPENS = [
  'This deletes the game for good, with all its data: keys, players, sign-ins, leaderboards, scores, files, rooms and',
  'history. Its keys and all tokens are refused at once. Nobody can undo it; backups made before still hold the game.',
]

export function gameDeleteCommand(shell: Shell, group: Command): void {
  const command = group
    .command('delete')
    .argument('<game>', 'its id')
    .description('permanently delete a game with all its data (operator)')
    .option('--name <name>', 'the game’s exact name, as confirmation')
  withExamples(command, 'game delete abcd2345abcd2345abcd2345 --name "My game"')
  does<{ name?: string }>(shell, command, async ({ target, options }, game = ''): Promise<Answer> => {
    if (options.name === undefined) {
      throw new UsageFault(`${WHAT_HAPPENS.join(' ')} To delete it, repeat its name with --name.`)
    }
    const answer = await (await asOperator(target)).deleteGame(game, options.name)
    const goesOn = 'Its data is being removed; the server logs when that is done.'
    return { json: answer, lines: [`Deleted the game ${answer.deleted}. ${goesOn}`] }
  })
}
