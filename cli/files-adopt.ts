// `scorebook files adopt`: makes this installation the owner of its file store, and deletes the blobs whose deletions
// were recorded while it was not. It works on the stores directly: the marker decides for a running server, too, which
// reads it again.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { MasterSecrets } from '../credentials/master.ts'
import { type Config, readConfig } from '../server/config.ts'
import { openInstallation } from '../server/installation.ts'
import { openFiles } from '../server/open-stores.ts'
import type { OwnableFiles } from '../stores/contract/files.ts'
import type { OpenedStores } from '../stores/contract/stores.ts'
import type { Vault } from '../stores/contract/vault.ts'
import { markerText, type Owner, ownerIn, ownerText } from '../stores/owned/ownership.ts'
import { countDeletions, executeDeletions } from '../stores/owned/recorded-deletions.ts'
import { type Answer, does, type Shell } from './command.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { withOwnStores } from './own-stores.ts'
import { formatInteger, progressBar } from './progress.ts'
import { printable, type Terminal, withExamples } from './terminal.ts'

interface AdoptOptions {
  readonly yes?: boolean
}

export function filesAdoptCommand(shell: Shell, group: Command): void {
  const command = group
    .command('adopt')
    .description('make this installation the owner of its file store, after a restore; then execute recorded deletions')
    .option('--yes', 'confirm it')
  withExamples(command, 'files adopt', 'files adopt --yes --json')
  does<AdoptOptions>(shell, command, async ({ terminal, options }): Promise<Answer> => {
    const config = readConfig(terminal.env)
    if (config.servers === null && !existsSync(join(config.dataDir, 'log.sqlite'))) throw noInstallation(config)
    const isConfirmed = options.yes === true
    return withOwnStores(config, terminal, (stores, master) => adopt(stores, { config, master, terminal, isConfirmed }))
  })
}

interface Setting {
  readonly config: Config
  readonly master: MasterSecrets
  readonly terminal: Terminal
  readonly isConfirmed: boolean
}

async function adopt(opened: OpenedStores, { config, master, terminal, isConfirmed }: Setting): Promise<Answer> {
  if ((await opened.log.head()) === null) throw noInstallation(config)
  const { stores, keys, filesClaim } = await openInstallation(opened, master)
  const { owner: installation } = filesClaim
  const files = await openFiles(config, keys.link, { warn: (text) => terminal.err(printable(text)) })
  if (files === null)
    throw new CommandFault('No file store is configured: set FILES_DIR or S3_URL to the value that the server has.')
  try {
    const before = ownerIn(await files.owner.read(), installation)
    if (before.kind !== 'this') {
      if (!isConfirmed) throw await unconfirmed(before, installation, stores.vault)
      await files.owner.replace(markerText(installation))
    }
    const deleted = await execute(files, stores.vault, installation, terminal)
    const previous = before.kind === 'other' ? before.installation : null
    const json = { installation, adopted: before.kind !== 'this', previous_installation: previous, deleted }
    return { json, lines: answerLines(before, installation, deleted) }
  } finally {
    await files.close()
  }
}

function noInstallation({ dataDir }: Config): CommandFault {
  return new CommandFault(
    `There is no installation in ${dataDir} to adopt the file store. Set DATA_DIR (or the URLs of its servers) to the one that is to own it.`,
  )
}

async function unconfirmed(
  owner: Exclude<Owner, { kind: 'this' }>,
  installation: string,
  vault: Pick<Vault, 'idsOf'>,
): Promise<UsageFault> {
  const other = owner.kind === 'other' && owner.installation !== null ? `installation ${owner.installation}` : null
  const count = await countDeletions(vault)
  const deletions = `${formatInteger(count)} recorded ${count === 1 ? 'deletion is' : 'deletions are'} executed`
  return new UsageFault(
    [
      `The file store ${ownerText(owner)}. This installation is ${installation}.`,
      `With --yes: ${installation} becomes the owner, ${deletions}, and a server of ${installation} deletes every blob that no file of ` +
        `${installation} refers to.`,
      `Files that ${other ?? 'any other installation'} has stored since are lost, and ${other ?? 'it'} can no longer upload.`,
      'Nothing was changed. If no other installation uses the store, run: scorebook files adopt --yes',
    ].join('\n'),
  )
}

async function execute(files: OwnableFiles, vault: Vault, installation: string, terminal: Terminal): Promise<number> {
  const total = await countDeletions(vault)
  const bar = progressBar(terminal, 'Deleting', total, { unit: ' blobs' })
  let deleted = 0
  const isDone = await executeDeletions({
    vault,
    files,
    mayContinue: async () => ownerIn(await files.owner.read(), installation).kind === 'this',
    onProgress: (more) => {
      deleted += more
      bar.add(more)
    },
  }).finally(bar.drop)
  if (isDone) return deleted
  throw new CommandFault(
    `Another installation adopted the file store meanwhile: ${blobs(deleted)} were deleted, and ${blobs(total - deleted)} stay recorded.`,
  )
}

function answerLines(before: Owner, installation: string, deleted: number): string[] {
  const first =
    before.kind === 'this'
      ? `The file store already belongs to this installation, ${installation}.`
      : `The file store now belongs to this installation, ${installation}. Before, it ${pastText(before)}.`
  return [first, `Recorded deletions executed: ${blobs(deleted)}. A running server accepts uploads within seconds.`]
}

function pastText(owner: Exclude<Owner, { kind: 'this' }>): string {
  if (owner.kind === 'none') return 'had no owner marker'
  return owner.installation === null
    ? 'had an owner marker that could not be read'
    : `belonged to installation ${owner.installation}`
}

const blobs = (count: number): string => (count === 1 ? '1 blob' : `${formatInteger(count)} blobs`)
