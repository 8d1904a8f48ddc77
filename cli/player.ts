// `scorebook player …`: manages a game's players, and exports what is recorded about one of them.

import { existsSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Player, TicketFor } from '../clients/javascript/shapes.ts'
import { asGame, tryEachGame } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { onThisDisk } from './local-files.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf } from './paging.ts'
import { interruptible, type Terminal, withExamples } from './terminal.ts'
import { fieldLines, textTable } from './text-table.ts'

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

function playerBanCommands(shell: Shell, group: Command): void {
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

function playerTicketCommand(shell: Shell, group: Command): void {
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

function playerLines({ id, name, created, guest, external_id: externalId, banned }: Player): string[] {
  return fieldLines([
    ['player', id],
    ['name', name ?? '(none)'],
    ['created', created],
    ['kind', guest ? 'guest' : 'created by the game’s server'],
    ...(externalId === null ? [] : [['external id', externalId] as const]),
    ...(banned === null ? [] : [['banned', banText(banned)] as const]),
  ])
}

function banText({ since, until, reason }: NonNullable<Player['banned']>): string {
  const end = until === null ? '' : ` until ${until}`
  return `since ${since}${end}${reason === null ? '' : `: ${reason}`}`
}

function playerExportCommand(shell: Shell, group: Command): void {
  const command = group
    .command('export')
    .argument('<player>', 'their id')
    .description('print everything that is recorded about a player as JSON, for an access request')
    .option('--to <file>', 'write it to a new file that only you may read')
  withExamples(
    command,
    'player export abcd2345abcd2345abcd2345 --to player.json',
    'player export abcd2345abcd2345abcd2345',
  )
  does<{ to?: string }>(shell, command, ({ terminal, target, options: { to } }, id) =>
    interruptible(terminal, async ({ signal }): Promise<Answer | null> => {
      try {
        const chunks = await tryEachGame(target, ({ client, game }) => client.exportPlayer(game, id, signal))
        if (to === undefined) {
          await print(terminal, chunks, signal)
          return null
        }
        await save(to, chunks)
        return { json: { player: id, file: to }, lines: [`All that is recorded about ${id} is in ${to}.`] }
      } catch (failure) {
        if (signal.aborted) throw new CommandFault('Stopped. The output is incomplete.')
        throw failure
      }
    }),
  )
}

async function print(terminal: Terminal, chunks: AsyncIterable<string>, ending: AbortSignal): Promise<void> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) terminal.out(line)
    await terminal.taken?.(ending)
  }
  if (rest !== '') terminal.out(rest)
}

/** Writes a new private file, and removes it if the answer is cut. */
async function save(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const file: FileHandle = await onThisDisk(path, () => open(path, 'wx', 0o600)).catch((failure: unknown) => {
    if (!existsSync(path)) throw failure
    throw new CommandFault(`${path} exists already. Name a file that does not exist yet with --to.`)
  })
  try {
    for await (const chunk of chunks) await onThisDisk(path, () => file.write(chunk))
    await onThisDisk(path, () => file.sync())
  } catch (failure) {
    await rm(path, { force: true })
    throw failure
  } finally {
    await file.close()
  }
}
