// `scorebook player …`: manages a game's players.

import type { Command } from 'commander'
import type { Player } from '../clients/javascript/shapes.ts'
import { asGame, tryEachGame } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './examples.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf } from './paging.ts'
import { playerBanCommands } from './player-bans.ts'
import { playerExportCommand } from './player-export.ts'
import { playerLines } from './player-lines.ts'
import { playerTicketCommand } from './player-ticket.ts'
import { textTable } from './text-table.ts'

export function playerCommands(shell: Shell): void {
  const group = shell.program.command('player').description('players of a game')
  create(shell, group)
  list(shell, group)
  show(shell, group)
  rename(shell, group)
  playerBanCommands(shell, group)
  playerTicketCommand(shell, group)
  playerExportCommand(shell, group)
}

function create(shell: Shell, group: Command): void {
  const command = group
    .command('create')
    .argument('<name>', 'shown beside their scores')
    .description('create a player')
    .option('--external-id <id>', 'the player’s id on your own server')
  withExamples(command, 'player create Ada', 'player create Ada --external-id user-17 --json')
  does<{ externalId?: string }>(shell, command, async ({ target, options }, name): Promise<Answer> => {
    const { client, game } = await asGame(target)
    const { externalId } = options
    const made = await client.createPlayer(game, {
      name,
      ...(externalId === undefined ? {} : { external_id: externalId }),
    })
    return { json: made, lines: playerLines(made) }
  })
}

function list(shell: Shell, group: Command): void {
  const command = addPaging(group.command('list').description('list players, or search them by name'))
  command.option('--name <text>', 'only names that contain this text, ignoring case')
  withExamples(command, 'player list', 'player list --name ada --limit 100')
  does<PagingOptions & { name?: string }>(shell, command, async (invoked): Promise<Answer> => {
    const { terminal, target, options } = invoked
    const { client, game } = await asGame(target)
    const { name } = options
    const page = await client.players(game, { ...pagingOf(options), ...(name === undefined ? {} : { name }) })
    const columns = [{ title: 'player' }, { title: 'name', mayCut: true }, { title: 'created' }, { title: '' }]
    const rows = page.players.map((one) => [one.id, one.name ?? '', one.created.slice(0, 10), kindOf(one)])
    return { json: page, lines: [...textTable(columns, rows, terminal.columns), ...pageFooter(page, 'player')] }
  })
}

const kindOf = ({ guest, banned }: Player): string =>
  [...(guest ? ['guest'] : []), ...(banned === null ? [] : ['banned'])].join(', ')

function show(shell: Shell, group: Command): void {
  const command = group.command('show').argument('<player>', 'their id').description('show a player')
  withExamples(command, 'player show abcd2345abcd2345abcd2345')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const found = await tryEachGame(target, ({ client, game }) => client.player(game, id))
    return { json: found, lines: playerLines(found) }
  })
}

function rename(shell: Shell, group: Command): void {
  const command = group.command('rename').argument('<player>', 'their id').argument('<name>', 'their new name')
  command.description('rename a player; the new name is shown with their scores')
  withExamples(command, 'player rename abcd2345abcd2345abcd2345 "Ada L"')
  does(shell, command, async ({ target }, id, name): Promise<Answer> => {
    const renamed = await tryEachGame(target, ({ client, game }) => client.renamePlayer(game, id, name))
    return { json: renamed, lines: playerLines(renamed) }
  })
}
