// `scorebook bucket upload` and `bucket download`: copy files and folders between the local disk and a bucket.

import type { Command } from 'commander'
import { does, type Shell } from './command.ts'
import { type DownloadOptions, download } from './download.ts'
import { withExamples } from './examples.ts'
import { type UploadOptions, upload } from './upload.ts'

const ID = 'abcd2345abcd2345abcd2345'

export function bucketTransferCommands(shell: Shell, group: Command): void {
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
