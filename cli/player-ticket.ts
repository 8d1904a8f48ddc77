// `scorebook player ticket`: issues a ticket that signs a player in without a password.

import type { Command } from 'commander'
import type { TicketFor } from '../clients/javascript/shapes.ts'
import { tryEachGame } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './examples.ts'
import { UsageFault } from './failure.ts'
import { fieldLines } from './text-table.ts'

export function playerTicketCommand(shell: Shell, group: Command): void {
  const command = group
    .command('ticket')
    .argument('[player]', 'their id')
    .description('create a ticket that signs a player in')
  command.option('--external-id <id>', 'the player’s id on your own server; a new one creates a player')
  command.option('--name <name>', 'name of a new player')
  withExamples(
    command,
    'player ticket abcd2345abcd2345abcd2345',
    'player ticket --external-id user-17 --name Ada --json',
  )
  does<{ externalId?: string; name?: string }>(
    shell,
    command,
    async ({ target, options }, id?: string): Promise<Answer> => {
      const { externalId, name } = options
      const found = await tryEachGame(target, ({ client, game }) =>
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
