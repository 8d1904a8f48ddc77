// `scorebook bucket …`: creates, lists, shows, changes and deletes buckets, and copies files between the local disk
// and a bucket. bucket-folders.ts works on their content.

import type { Command } from 'commander'
import type { Bucket, BucketLimits } from '../clients/javascript/file-shapes.ts'
import { asGame, tryEachGame } from './authenticated-clients.ts'
import { bucketFolderCommands } from './bucket-folders.ts'
import { type Answer, does, type Shell } from './command.ts'
import { type DownloadOptions, download } from './download.ts'
import { UsageFault } from './failure.ts'
import { formatInteger } from './progress.ts'
import { bytesNumber, bytesText } from './sizes.ts'
import { quoted } from './target.ts'
import { withExamples } from './terminal.ts'
import { fieldLines, textTable } from './text-table.ts'
import { type UploadOptions, upload } from './upload.ts'

interface LimitOptions {
  readonly name?: string
  readonly maxBytes?: string
  readonly maxFiles?: string
  readonly playerMaxBytes?: string
  readonly playerMaxFiles?: string
  readonly maxFileBytes?: string
  readonly monthlyDownloadBytes?: string
}

export function bucketCommands(shell: Shell): void {
  const group = shell.program.command('bucket').description('buckets, their files, folders and access rules')
  create(shell, group)
  list(shell, group)
  show(shell, group)
  set(shell, group)
  remove(shell, group)
  bucketFolderCommands(shell, group)
  bucketTransferCommands(shell, group)
}

function addLimits(command: Command): Command {
  return command
    .option('--max-bytes <size>', 'maximum size of all files, such as 500M or 2G')
    .option('--max-files <n>', 'maximum number of files')
    .option('--player-max-bytes <size>', 'maximum size of one player’s files')
    .option('--player-max-files <n>', 'maximum number of one player’s files')
    .option('--max-file-bytes <size>', 'maximum size of a single file')
    .option('--monthly-download-bytes <size>', 'maximum size of all downloads in a calendar month')
}

function limitsOf(options: LimitOptions): Partial<BucketLimits> {
  const { maxBytes, maxFiles, playerMaxBytes, playerMaxFiles, maxFileBytes, monthlyDownloadBytes } = options
  const given: [field: keyof BucketLimits, flag: string, text: string | undefined][] = [
    ['max_bytes', '--max-bytes', maxBytes],
    ['max_files', '--max-files', maxFiles],
    ['player_max_bytes', '--player-max-bytes', playerMaxBytes],
    ['player_max_files', '--player-max-files', playerMaxFiles],
    ['max_file_bytes', '--max-file-bytes', maxFileBytes],
    ['monthly_download_bytes', '--monthly-download-bytes', monthlyDownloadBytes],
  ]
  const set = given.flatMap(([field, flag, text]) => (text === undefined ? [] : [[field, bytesNumber(flag, text)]]))
  return Object.fromEntries(set)
}

function create(shell: Shell, group: Command): void {
  const command = addLimits(group.command('create').argument('<name>', 'name shown to players'))
  command.description('create a bucket; default: 1 GiB, 16 MiB per player, only your server may write')
  withExamples(command, 'bucket create Saves', 'bucket create Replays --max-bytes 20G --max-file-bytes 50M')
  does<LimitOptions>(shell, command, async ({ target, options }, name): Promise<Answer> => {
    const { client, game } = await asGame(target)
    const made = await client.createBucket(game, { name, ...limitsOf(options) })
    const lines = [
      `Created the bucket ${quoted(made.name)}.`,
      '',
      ...bucketLines(made),
      '',
      'Next:',
      `  ${target.invocation} bucket rules ${made.id} / --create player`,
      `  ${target.invocation} bucket ls ${made.id}`,
    ]
    return { json: made, lines }
  })
}

function list(shell: Shell, group: Command): void {
  const command = group.command('list').description('list a game’s buckets')
  withExamples(command, 'bucket list', 'bucket list --game abcd2345abcd2345abcd2345 --json')
  does(shell, command, async ({ terminal, target }): Promise<Answer> => {
    const { client, game } = await asGame(target)
    const all = await client.buckets(game)
    const rows = all.buckets.map(({ id, name }) => [id, name])
    const none = rows.length === 0 ? ['', 'This game has no buckets.'] : []
    const columns = [{ title: 'bucket' }, { title: 'name', mayCut: true }]
    return { json: all, lines: [...textTable(columns, rows, terminal.columns), ...none] }
  })
}

function show(shell: Shell, group: Command): void {
  const command = group.command('show').argument('<bucket>', 'its id').description('show a bucket')
  withExamples(command, 'bucket show abcd2345abcd2345abcd2345')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const bucket = await tryEachGame(target, ({ client }) => client.bucket(id))
    return { json: bucket, lines: bucketLines(bucket) }
  })
}

function set(shell: Shell, group: Command): void {
  const command = addLimits(group.command('set').argument('<bucket>', 'its id'))
  command
    .description('change a bucket; options that are not given keep their value, and no file is deleted')
    .option('--name <name>', 'name shown to players')
  withExamples(command, 'bucket set abcd2345abcd2345abcd2345 --max-bytes 5G')
  does<LimitOptions>(shell, command, async ({ target, options }, id): Promise<Answer> => {
    const { name } = options
    const change = { ...limitsOf(options), ...(name === undefined ? {} : { name }) }
    if (Object.keys(change).length === 0) throw new UsageFault('Nothing to change. Pass --name or a limit.')
    const bucket = await tryEachGame(target, ({ client }) => client.changeBucket(id, change))
    return { json: bucket, lines: bucketLines(bucket) }
  })
}

function remove(shell: Shell, group: Command): void {
  const command = group.command('delete').argument('<bucket>', 'its id')
  command.description('delete a bucket with all its files')
  withExamples(command, 'bucket delete abcd2345abcd2345abcd2345')
  does(shell, command, async ({ target }, id): Promise<Answer> => {
    const answer = await tryEachGame(target, ({ client }) => client.deleteBucket(id))
    return { json: answer, lines: [`Deleted ${answer.deleted}.`] }
  })
}

function bucketLines(bucket: Bucket): string[] {
  const { id, name, game, bytes_used: used, files } = bucket
  const player = `${bytesText(bucket.player_max_bytes)}, ${formatInteger(bucket.player_max_files)} files`
  const month = `${bytesText(bucket.downloaded_this_month)} of ${bytesText(bucket.monthly_download_bytes)}`
  return fieldLines([
    ['bucket', id],
    ['name', name],
    ['game', game],
    ['holds', `${bytesText(used)} of ${bytesText(bucket.max_bytes)}`],
    ['files', `${formatInteger(files)} of ${formatInteger(bucket.max_files)}`],
    ['a player', player],
    ['a file', `up to ${bytesText(bucket.max_file_bytes)}`],
    ['this month', `${month} downloaded`],
  ])
}

const ID = 'abcd2345abcd2345abcd2345'

function bucketTransferCommands(shell: Shell, group: Command): void {
  const up = group
    .command('upload')
    .argument('<local>', 'a file, or with --recursive a folder')
    .argument('<bucket:path>', 'target path; a path that ends in / is a folder')
    .description('upload files; skips files that the bucket holds with the same bytes')
    .option('--recursive', 'the folder with all its content')
    .option('--force', 'overwrite existing files')
    .option('--content-type <type>', 'content type (default: by the file name extension)')
  withExamples(
    up,
    `bucket upload slot-1.bin ${ID}:/saves/slot-1.bin`,
    `bucket upload levels ${ID}:/levels/ --recursive`,
  )
  does<UploadOptions>(shell, up, ({ terminal, target, options }, local = '', path = '') =>
    upload({ terminal, target }, local, path, options),
  )
  const down = group
    .command('download')
    .argument('<bucket:path>', 'a file, or with --recursive a folder that ends in /')
    .description('download files; resumes an interrupted download')
    .option(
      '--to <local>',
      'local target (default: the current folder and the same name; a whole bucket is named by its id)',
    )
    .option('--recursive', 'the folder with all its content')
    .option('--force', 'overwrite existing local files')
  withExamples(
    down,
    `bucket download ${ID}:/saves/slot-1.bin`,
    `bucket download ${ID}:/levels/ --recursive --to backup`,
  )
  does<DownloadOptions>(shell, down, ({ terminal, target, options }, source = '') =>
    download({ terminal, target }, source, options),
  )
}
