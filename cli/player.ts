// `scorebook player …`: a game's players, as the tenant sees them.

import type { Command } from 'commander'
import type { Player, TicketFor } from '../client/shapes.ts'
import { type Answer, does, type Shell, withExamples } from './command.ts'
import { asGame, whereFound } from './connection.ts'
import { UsageFault } from './failure.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf } from './paging.ts'
import { fieldLines, textTable } from './text-table.ts'

export function playerCommands(shell: Shell): void {
  const group = shell.program.command('player').description('players of a game')
  create(shell, group)
  list(shell, group)
  show(shell, group)
  rename(shell, group)
  ticket(shell, group)
}

function create(shell: Shell, group: Command): void {
  const command = group
    .command('create')
    .argument('<name>', 'shown beside their scores')
    .description('make a player')
    .option('--external-id <id>', 'what your own server knows them by')
  withExamples(command, 'player create Ada', 'player create Ada --external-id user-17 --json')
  does<{ externalId?: string }>(shell, command, async ({ place, options }, name): Promise<Answer> => {
    const { client, game } = await asGame(place)
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
  command.option('--name <text>', 'only names that contain this, in upper or lower case')
  withExamples(command, 'player list', 'player list --name ada --limit 100')
  does<PagingOptions & { name?: string }>(shell, command, async (invoked): Promise<Answer> => {
    const { terminal, place, options } = invoked
    const { client, game } = await asGame(place)
    const { name } = options
    const page = await client.players(game, { ...pagingOf(options), ...(name === undefined ? {} : { name }) })
    const columns = [{ title: 'player' }, { title: 'name', mayCut: true }, { title: 'created' }, { title: '' }]
    const rows = page.players.map((one) => [one.id, one.name ?? '', one.created.slice(0, 10), one.guest ? 'guest' : ''])
    return { json: page, lines: [...textTable(columns, rows, terminal.columns), ...pageFooter(page, 'player')] }
  })
}

function show(shell: Shell, group: Command): void {
  const command = group.command('show').argument('<player>', 'their id').description('show a player')
  withExamples(command, 'player show abcd2345abcd2345abcd2345')
  does(shell, command, async ({ place }, id): Promise<Answer> => {
    const found = await whereFound(place, ({ client, game }) => client.player(game, id))
    return { json: found, lines: playerLines(found) }
  })
}

function rename(shell: Shell, group: Command): void {
  const command = group.command('rename').argument('<player>', 'their id').argument('<name>', 'their new name')
  command.description('rename a player; the new name stands beside their scores')
  withExamples(command, 'player rename abcd2345abcd2345abcd2345 "Ada L"')
  does(shell, command, async ({ place }, id, name): Promise<Answer> => {
    const renamed = await whereFound(place, ({ client, game }) => client.renamePlayer(game, id, name))
    return { json: renamed, lines: playerLines(renamed) }
  })
}

function ticket(shell: Shell, group: Command): void {
  const command = group
    .command('ticket')
    .argument('[player]', 'their id')
    .description('make a ticket that signs a player in')
  command.option('--external-id <id>', 'what your own server knows them by; a new one makes a player')
  command.option('--name <name>', 'what a new player is called')
  withExamples(
    command,
    'player ticket abcd2345abcd2345abcd2345',
    'player ticket --external-id user-17 --name Ada --json',
  )
  does<{ externalId?: string; name?: string }>(
    shell,
    command,
    async ({ place, options }, id?: string): Promise<Answer> => {
      const { externalId, name } = options
      const found = await whereFound(place, ({ client, game }) =>
        client.playerTicket(game, whomOf(id, externalId, name)),
      )
      const lines = fieldLines([
        ['ticket', found.ticket],
        ['expires in', `${found.expires_in} s`],
      ])
      return { json: found, lines }
    },
  )
}

function whomOf(player: string | undefined, externalId: string | undefined, name: string | undefined): TicketFor {
  if ((player === undefined) === (externalId === undefined)) {
    throw new UsageFault('Name the player either by their id or by --external-id.')
  }
  if (player !== undefined) return { player }
  return { external_id: externalId ?? '', ...(name === undefined ? {} : { name }) }
}

function playerLines({ id, name, created, guest, external_id: externalId, banned }: Player): string[] {
  return fieldLines([
    ['player', id],
    ['name', name ?? '(none)'],
    ['created', created],
    ['kind', guest ? 'guest' : 'made by the tenant'],
    ...(externalId === null ? [] : [['external id', externalId] as const]),
    ...(banned === null ? [] : [['banned', `since ${banned.since}`] as const]),
  ])
}
