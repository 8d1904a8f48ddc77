// `scorebook game delete`: a game with everything that belongs to it, for ever. Its name confirms it.

import type { Command } from 'commander'
import { asOperator } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './examples.ts'
import { UsageFault } from './failure.ts'

const WHAT_HAPPENS = [
  'This deletes the game for ever, with everything that belongs to it: keys, players, sign-ins, leaderboards, scores, files, rooms and',
  'history. Its keys and all tokens are refused at once. Nobody can undo it; backups made before still hold the game.',
]

export function gameDeleteCommand(shell: Shell, group: Command): void {
  const command = group
    .command('delete')
    .argument('<game>', 'its id')
    .description('delete a game for ever, with everything that belongs to it (operator)')
    .option('--name <name>', 'the game’s name, exactly: confirms that this game is meant')
  withExamples(command, 'game delete abcd2345abcd2345abcd2345 --name "My game"')
  does<{ name?: string }>(shell, command, async ({ place, options }, game = ''): Promise<Answer> => {
    if (options.name === undefined) {
      throw new UsageFault(`${WHAT_HAPPENS.join(' ')} To delete it, repeat its name with --name.`)
    }
    const answer = await (await asOperator(place)).deleteGame(game, options.name)
    const goesOn = 'Its data is being removed; the server’s log says when that is done.'
    return { json: answer, lines: [`Deleted the game ${answer.deleted}. ${goesOn}`] }
  })
}
