// `scorebook player ban|unban|signout|delete`: moderation commands for tenants.

import type { Command } from 'commander'
import { tryEachGame } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './examples.ts'
import { playerLines } from './player-lines.ts'

export function playerBanCommands(shell: Shell, group: Command): void {
  ban(shell, group)
  unban(shell, group)
  signOut(shell, group)
  remove(shell, group)
}

const about = (group: Command, name: string) => group.command(name).argument('<player>', 'their id')

function ban(shell: Shell, group: Command): void {
  const command = about(group, 'ban')
    .description('ban a player: hides them from every leaderboard until the ban ends')
    .option('--reason <text>', 'shown to the player')
    .option('--until <time>', 'when it ends, such as 2099-12-24T12:00:00Z; default: never')
  withExamples(
    command,
    'player ban abcd2345abcd2345abcd2345 --reason "played by a program"',
    'player ban abcd2345abcd2345abcd2345 --until 2099-12-24T12:00:00Z',
  )
  does<{ reason?: string; until?: string }>(shell, command, async ({ target, options }, id): Promise<Answer> => {
    const { reason = null, until = null } = options
    const banned = await tryEachGame(target, ({ client, game }) => client.banPlayer(game, id, { reason, until }))
    return { json: banned, lines: playerLines(banned) }
  })
}

function unban(shell: Shell, group: Command): void {
  const command = about(group, 'unban').description('lift a ban: the player’s entries are shown again')
  withExamples(command, 'player unban abcd2345abcd2345abcd2345')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const free = await tryEachGame(target, ({ client, game }) => client.unbanPlayer(game, id))
    return { json: free, lines: playerLines(free) }
  })
}

function signOut(shell: Shell, group: Command): void {
  const command = about(group, 'signout').description('end all sessions of a player')
  withExamples(command, 'player signout abcd2345abcd2345abcd2345')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const player = await tryEachGame(target, ({ client, game }) => client.signOutPlayer(game, id))
    return { json: player, lines: [`Signed ${player.id} out everywhere.`] }
  })
}

function remove(shell: Shell, group: Command): void {
  const command = about(group, 'delete')
  command.description('permanently delete a player and make all that they wrote unreadable')
  withExamples(command, 'player delete abcd2345abcd2345abcd2345')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const answer = await tryEachGame(target, ({ client, game }) => client.deletePlayer(game, id))
    return { json: answer, lines: [`Deleted ${answer.deleted}.`] }
  })
}
