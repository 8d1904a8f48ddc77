// `scorebook key …`: a game's API keys.

import { type Command, Option } from 'commander'
import { ProblemError } from '../clients/javascript/problem.ts'
import type { Algorithm, KeyKind, MadeKey } from '../clients/javascript/shapes.ts'
import { KEY_PREFIXES } from '../domain/key.ts'
import { asOperatorIfAny, forKeys } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { UsageFault } from './failure.ts'
import { gamesWithKeys, keepGameKey } from './key-files.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf } from './paging.ts'
import type { Target } from './target.ts'
import { withExamples } from './terminal.ts'
import { fieldLines, textTable } from './text-table.ts'

interface IssueOptions {
  readonly kind: KeyKind
  readonly algorithm: Algorithm
  readonly name: string
  readonly permission?: readonly string[]
  readonly publicKey?: string
  readonly save?: boolean
}

export function keyCommands(shell: Shell): void {
  const group = shell.program.command('key').description('API keys of a game')
  issue(shell, group)
  list(shell, group)
  revoke(shell, group)
}

function issue(shell: Shell, group: Command): void {
  const command = group
    .command('issue')
    .description('issue a key; its secret is shown only now')
    .addOption(
      new Option('--kind <kind>', 'server: secret, for your server; client: shipped with the game')
        .choices(['server', 'client'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--algorithm <algorithm>', 'how it signs').choices(['hmac-sha256', 'ed25519']).default('hmac-sha256'),
    )
    .option('--name <name>', 'to distinguish it from other keys', 'a key')
    .option('--permission <permission...>', 'its permissions; default: the usual ones of its kind')
    .option('--public-key <base64url>', 'your own Ed25519 public key; by default the server generates the pair')
    .option('--save', 'save it as this game’s key for later commands (server keys)')
  withExamples(
    command,
    'key issue --kind client --name "web build 7"',
    'key issue --kind server --algorithm ed25519 --name backend --json',
    'key issue --game abcd2345abcd2345abcd2345 --kind server --save',
  )
  does<IssueOptions>(shell, command, async ({ target, options }): Promise<Answer> => {
    const { kind, algorithm, name, permission, publicKey, save } = options
    if (save === true && (kind !== 'server' || publicKey !== undefined)) {
      throw new UsageFault(
        '--save works only with a server key that the server generates. Leave out --save, or the other option.',
      )
    }
    const { client, game } = await forKeys(target)
    const made = await client.issueKey(game, {
      name,
      kind,
      algorithm,
      ...(permission === undefined ? {} : { permissions: permission }),
      ...(publicKey === undefined ? {} : { public_key: publicKey }),
    })
    const file = save === true ? await keepGameKey(target.dataDir, game, made) : null
    return { json: file === null ? made : { ...made, key_file: file }, lines: madeLines(made, file) }
  })
}

function madeLines(made: MadeKey, file: string | null): string[] {
  const { prefix, kind, algorithm, permissions, secret, private_key: privateKey } = made
  const shown: [string, string][] = []
  if (file !== null) shown.push(['kept in', file])
  else if (secret !== undefined) shown.push(['secret', secret])
  else if (privateKey !== undefined) shown.push(['private key', privateKey])
  const lines = fieldLines([
    ['prefix', prefix],
    ...shown,
    ['kind', kind],
    ['algorithm', algorithm],
    ['may', permissions.join(' ') || 'nothing'],
  ])
  return file === null && shown.length > 0 ? [...lines, '', 'It is not shown again: keep it now.'] : lines
}

function list(shell: Shell, group: Command): void {
  const command = addPaging(group.command('list').description('list keys, including revoked ones, without secrets'))
  withExamples(command, 'key list', 'key list --game abcd2345abcd2345abcd2345 --json')
  does<PagingOptions>(shell, command, async ({ terminal, target, options }): Promise<Answer> => {
    const { client, game } = await forKeys(target)
    const page = await client.keys(game, pagingOf(options))
    const columns = [
      { title: 'prefix' },
      { title: 'name', mayCut: true },
      { title: 'kind' },
      { title: 'algorithm' },
      { title: 'last used' },
      { title: '' },
    ]
    const rows = page.keys.map((key) => [
      key.prefix,
      key.name,
      key.kind,
      key.algorithm,
      key.last_used ?? 'never',
      key.revoked ? 'revoked' : '',
    ])
    return { json: page, lines: [...textTable(columns, rows, terminal.columns), ...pageFooter(page, 'key')] }
  })
}

function revoke(shell: Shell, group: Command): void {
  const command = group.command('revoke').argument('<prefix>', 'such as ck_…')
  command.description('permanently revoke a key of a game, or an operator key but the last, and all its tokens')
  withExamples(command, 'key revoke ck_abcd2345abcd2345abcd2345')
  does(shell, command, async ({ target }, prefix): Promise<Answer> => {
    const answer = (await revokeOfOperator(target, prefix)) ?? (await revokeOfGame(target, prefix))
    return { json: answer, lines: [`Revoked ${answer.deleted}.`] }
  })
}

/** Null if this is no operator key, or if no operator key is at hand. */
async function revokeOfOperator(target: Target, prefix: string): Promise<Revoked | null> {
  const client = prefix.startsWith(KEY_PREFIXES.client) ? null : await asOperatorIfAny(target)
  if (client === null) return null
  try {
    return await client.revokeOperatorKey(prefix)
  } catch (failure) {
    // It may be a key of the game whose key is saved.
    const isUnknown = failure instanceof ProblemError && failure.code === 'key_not_found'
    if (!isUnknown || target.keyFile !== null || (await gamesWithKeys(target.dataDir)).length === 0) throw failure
    return null
  }
}

async function revokeOfGame(target: Target, prefix: string): Promise<Revoked> {
  const { client, game } = await forKeys(target)
  return client.revokeKey(game, prefix)
}

interface Revoked {
  readonly deleted: string
}
