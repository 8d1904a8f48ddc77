// `scorebook bucket upload`, `bucket download`: files and whole folders, from this machine's disk to a bucket and back.

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
    .argument('<bucket:path>', 'where it goes; into a folder where it ends in /')
    .description('upload files; those that are there with the same bytes are passed over')
    .option('--recursive', 'all that is in the folder')
    .option('--force', 'in place of files that are there')
    .option('--content-type <type>', 'by default what the name says')
  withExamples(
    up,
    `bucket upload slot-1.bin ${ID}:/saves/slot-1.bin`,
    `bucket upload levels ${ID}:/levels/ --recursive`,
  )
  does<UploadOptions>(shell, up, ({ terminal, place, options }, local = '', target = '') =>
    upload({ terminal, place }, local, target, options),
  )
  const down = group
    .command('download')
    .argument('<bucket:path>', 'a file, or with --recursive a folder, which ends in /')
    .description('download files; one that broke off goes on where it was')
    .option(
      '--to <local>',
      'the file or folder here; by default in the present folder under its own name, a whole bucket under its id',
    )
    .option('--recursive', 'all that is in the folder')
    .option('--force', 'in place of files that are here')
  withExamples(
    down,
    `bucket download ${ID}:/saves/slot-1.bin`,
    `bucket download ${ID}:/levels/ --recursive --to backup`,
  )
  does<DownloadOptions>(shell, down, ({ terminal, place, options }, source = '') =>
    download({ terminal, place }, source, options),
  )
}
