// `scorebook game …`: the operator creates games, the tenant configures them.

import { type Command, Option } from 'commander'
import type { Game, GameChange } from '../clients/javascript/shapes.ts'
import { asGame, asOperator } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { UsageFault } from './failure.ts'
import { gameOverviewCommand } from './game-overview.ts'
import { keepGameKey } from './key-files.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf } from './paging.ts'
import { quoted } from './target.ts'
import { withExamples } from './terminal.ts'
import { fieldLines, textTable } from './text-table.ts'

interface SetOptions {
  readonly name?: string
  /** False for --no-origin. */
  readonly origin?: readonly string[] | false
  readonly guests?: 'on' | 'off'
  readonly body?: string
}

export function gameCommands(shell: Shell): void {
  const group = shell.program.command('game').description('create, list, show, change and delete games')
  create(shell, group)
  list(shell, group)
  show(shell, group)
  gameOverviewCommand(shell, group)
  set(shell, group)
  gameDeleteCommand(shell, group)
}

function create(shell: Shell, group: Command): void {
  const command = group
    .command('create')
    .argument('<name>', 'name shown to players')
    .description('create a game; its first server key is saved in DATA_DIR/keys for later commands')
  withExamples(command, 'game create "My game"', 'game create "My game" --json')
  does(shell, command, async ({ target }, name): Promise<Answer> => {
    const operator = await asOperator(target)
    const made = await operator.createGame(name)
    const file = await keepGameKey(target.dataDir, made.game.id, made.key)
    const game = `--game ${made.game.id}`
    const lines = [
      `Created the game ${quoted(made.game.name)}.`,
      '',
      ...fieldLines([
        ['game', made.game.id],
        ['server key', made.key.prefix],
        ['kept in', file],
      ]),
      '',
      'Next:',
      `  ${target.invocation} board create "High scores" ${game}`,
      `  ${target.invocation} key issue --kind client --name "game client" ${game}`,
    ]
    return { json: { ...made, key_file: file }, lines }
  })
}

function list(shell: Shell, group: Command): void {
  const command = addPaging(group.command('list').description('list all games (operator)'))
  withExamples(command, 'game list', 'game list --limit 100 --json')
  does<PagingOptions>(shell, command, async ({ terminal, target, options }): Promise<Answer> => {
    const page = await (await asOperator(target)).games(pagingOf(options))
    const columns = [{ title: 'game' }, { title: 'name', mayCut: true }, { title: 'created' }]
    const rows = page.games.map(({ id, name, created }) => [id, name, created])
    return { json: page, lines: [...textTable(columns, rows, terminal.columns), ...pageFooter(page, 'game')] }
  })
}

function show(shell: Shell, group: Command): void {
  const command = group.command('show').argument('[game]', 'its id; optional if only one game’s key is saved here')
  command.description('show a game and its settings')
  withExamples(command, 'game show', 'game show abcd2345abcd2345abcd2345 --json')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const { client, game } = await asGame(target, id)
    const found = await client.game(game)
    return { json: found, lines: gameLines(found) }
  })
}

function set(shell: Shell, group: Command): void {
  const command = group
    .command('set')
    .argument('[game]', 'its id; optional if only one game’s key is saved here')
    .description('change a game; options that are not given keep their value')
    .option('--name <name>', 'name shown to players')
    .option('--origin <origin...>', 'the origins whose pages may call the API; replaces the current ones')
    .option('--no-origin', 'no origin may call the API')
    .addOption(new Option('--guests <on|off>', 'whether players may sign in as guests').choices(['on', 'off']))
    .option('--body <json>', 'any other setting, as the body of PUT /api/gm/<game>/')
  withExamples(
    command,
    'game set --origin https://play.example.com http://localhost:5173',
    'game set --guests off',
    `game set --body '{"realtime":{"enabled":true}}'`,
  )
  does<SetOptions>(shell, command, async ({ target, options }, id): Promise<Answer> => {
    const change = changeOf(options)
    const { client, game } = await asGame(target, id)
    const changed = await client.changeGame(game, change)
    return { json: changed, lines: gameLines(changed) }
  })
}

function changeOf({ name, origin, guests, body }: SetOptions): GameChange {
  const change = {
    ...(body === undefined ? {} : objectIn(body)),
    ...(name === undefined ? {} : { name }),
    ...(origin === undefined ? {} : { cors_origins: origin === false ? [] : origin }),
    ...(guests === undefined ? {} : { sign_in: { guest: guests === 'on' } }),
  }
  if (Object.keys(change).length > 0) return change
  throw new UsageFault('Nothing to change: give --name, --origin, --guests or --body.')
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Reported below, like any other text that is not a JSON object.
  }
  throw new UsageFault(`--body must be a JSON object, such as '{"realtime":{"enabled":true}}'.`)
}

function gameLines({ id, name, created, cors_origins: origins, sign_in: signIn, realtime }: Game): string[] {
  const methods = Object.entries(signIn).flatMap(([method, on]) => (on ? [method] : []))
  return fieldLines([
    ['game', id],
    ['name', name],
    ['created', created],
    ['origins', origins.join(' ') || 'none'],
    ['sign-in', methods.join(', ') || 'none'],
    ['rooms', realtime.enabled ? 'on' : 'off'],
  ])
}

const WHAT_HAPPENS = [
  'This deletes the game for good, with all its data: keys, players, sign-ins, leaderboards, scores, files, rooms and',
  'history. Its keys and all tokens are refused at once. Nobody can undo it; backups made before still hold the game.',
]

function gameDeleteCommand(shell: Shell, group: Command): void {
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
