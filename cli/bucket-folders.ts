// `scorebook bucket ls`, `mkdir`, `rmdir`, `rm`, `rules`, `explain`: lists and changes the content of a bucket and its
// access rules.

import { type Command, Option } from 'commander'
import type { FolderRules, Level, Listing } from '../clients/javascript/file-shapes.ts'
import { tryEachGame } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { addPaging, type PagingOptions, pagingOf } from './paging.ts'
import { formatInteger } from './progress.ts'
import { bytesText } from './sizes.ts'
import { withExamples } from './terminal.ts'
import { fieldLines, textTable } from './text-table.ts'

const ID = 'abcd2345abcd2345abcd2345'
const LEVELS = ['nobody', 'creator', 'player', 'anyone']
/** Maps each option to the rule that it sets. */
const RULES = {
  listFolders: 'list_folders',
  listFiles: 'list_files',
  mkdir: 'mkdir',
  create: 'create',
  read: 'read',
  overwrite: 'overwrite',
  delete: 'delete',
} as const satisfies Record<string, keyof FolderRules>

type RuleOptions = { readonly [option in keyof typeof RULES]?: Level } & {
  readonly children?: boolean
  readonly all?: boolean
}

export function bucketFolderCommands(shell: Shell, group: Command): void {
  ls(shell, group)
  mkdir(shell, group)
  rmdir(shell, group)
  rm(shell, group)
  rules(shell, group)
  explain(shell, group)
}

const at = (group: Command, name: string, path: string, about: string) =>
  group.command(name).argument('<bucket>', 'its id').argument(path, about)

function ls(shell: Shell, group: Command): void {
  const command = addPaging(at(group, 'ls', '[path]', 'a folder (default: /)')).description(
    'list the content of a folder',
  )
  withExamples(command, `bucket ls ${ID}`, `bucket ls ${ID} /saves/ --limit 100 --json`)
  does<PagingOptions>(shell, command, async ({ terminal, target, options }, id, path = '/'): Promise<Answer> => {
    const page = await tryEachGame(target, ({ client }) => client.list(id, path, pagingOf(options)))
    return { json: page, lines: listingLines(page, terminal.columns) }
  })
}

function listingLines(page: Listing, columns: number): string[] {
  const { folders, files, folder_count: folderCount, file_count: fileCount } = page
  const rows = [
    ...(folders ?? []).map(({ name, creator, created }) => [`${name}/`, '', creator ?? 'tenant', created]),
    ...(files ?? []).map(({ name, size, creator, updated }) => [name, bytesText(size), creator ?? 'tenant', updated]),
  ]
  const counts = [
    folderCount === null ? 'folders hidden' : `${formatInteger(folderCount)} folders`,
    fileCount === null ? 'files hidden' : `${formatInteger(fileCount)} files`,
  ]
  const titles = [
    { title: 'name', mayCut: true },
    { title: 'size', align: 'right' as const },
    { title: 'by' },
    { title: 'changed' },
  ]
  return [...(rows.length === 0 ? [] : [...textTable(titles, rows, columns), '']), counts.join(', ')]
}

function mkdir(shell: Shell, group: Command): void {
  const command = at(group, 'mkdir', '<path>', 'absolute path that ends in /').description('create a folder')
  withExamples(command, `bucket mkdir ${ID} /saves/`)
  does(shell, command, async ({ target }, id = '', path = ''): Promise<Answer> => {
    const made = await tryEachGame(target, ({ client }) => client.makeFolder(id, path))
    return { json: made, lines: [`Made ${made.path}`] }
  })
}

function rmdir(shell: Shell, group: Command): void {
  const command = at(group, 'rmdir', '<path>', 'a folder').description('delete a folder')
  command.option('--recursive', 'also delete its content')
  withExamples(command, `bucket rmdir ${ID} /saves/ --recursive`)
  does<{ recursive?: boolean }>(shell, command, async ({ target, options }, id = '', path = ''): Promise<Answer> => {
    const recursive = options.recursive === true
    const answer = await tryEachGame(target, ({ client }) => client.deleteFolder(id, path, recursive))
    return { json: answer, lines: [`Deleted ${answer.deleted}`] }
  })
}

function rm(shell: Shell, group: Command): void {
  const command = at(group, 'rm', '<path>', 'a file').description('delete a file')
  withExamples(command, `bucket rm ${ID} /saves/slot-1.bin`)
  does(shell, command, async ({ target }, id = '', path = ''): Promise<Answer> => {
    const answer = await tryEachGame(target, ({ client }) => client.deleteFile(id, path))
    return { json: answer, lines: [`Deleted ${answer.deleted}`] }
  })
}

function rules(shell: Shell, group: Command): void {
  const command = at(group, 'rules', '<path>', 'a folder').description(
    'show the rules of a folder, or set the given ones',
  )
  for (const rule of Object.values(RULES)) {
    const flag = `--${rule.replace('_', '-')} <level>`
    command.addOption(new Option(flag, `${LEVELS.join(', ')}`).choices(LEVELS))
  }
  command
    .option('--children', 'set the initial rules of new subfolders instead of the folder’s own')
    .option('--all', 'also apply the rules to every existing subfolder')
  withExamples(command, `bucket rules ${ID} /`, `bucket rules ${ID} / --create player --read anyone --all`)
  does<RuleOptions>(shell, command, async ({ target, options }, id = '', path = ''): Promise<Answer> => {
    const named = Object.entries(RULES).flatMap(([option, rule]) => {
      const level = options[option as keyof typeof RULES]
      return level === undefined ? [] : [[rule, level] as const]
    })
    const folder = await tryEachGame(target, async ({ client }) => {
      const now = await client.folderRules(id, path)
      if (named.length === 0 && options.all !== true) return now
      const set = (base: FolderRules): FolderRules => ({ ...base, ...Object.fromEntries(named) })
      const isForChildren = options.children === true
      const change = {
        path,
        rules: isForChildren ? now.rules : set(now.rules),
        child_rules: isForChildren ? set(now.child_rules ?? now.rules) : now.child_rules,
        apply_to_existing: options.all === true,
      }
      return client.setFolderRules(id, change)
    })
    const own = Object.values(RULES).map(
      (rule) => [rule, levelText(folder.rules[rule], folder.child_rules?.[rule])] as const,
    )
    return { json: folder, lines: fieldLines([['folder', folder.path], ...own]) }
  })
}

const levelText = (own: Level, child: Level | undefined): string =>
  child === undefined || child === own ? own : `${own}, new folders inside ${child}`

function explain(shell: Shell, group: Command): void {
  const command = at(group, 'explain', '<path>', 'a folder or file').description(
    'show what a caller may do at a path, and which rule allows it',
  )
  command.option('--player <player>', 'check for this player (default: a caller that is not signed in as a player)')
  withExamples(command, `bucket explain ${ID} /saves/slot-1.bin --player ${ID}`)
  does<{ player?: string }>(
    shell,
    command,
    async ({ terminal, target, options }, id = '', path = ''): Promise<Answer> => {
      const decision = await tryEachGame(target, ({ client }) => client.explain(id, path, options.player))
      const rows = decision.rules.map(({ rule, level, admitted, why }) => [rule, level, admitted ? 'yes' : 'no', why])
      const columns = [{ title: 'rule' }, { title: 'level' }, { title: 'may' }, { title: 'why', mayCut: true }]
      return {
        json: decision,
        lines: [`The rules of ${decision.folder} decide:`, '', ...textTable(columns, rows, terminal.columns)],
      }
    },
  )
}
