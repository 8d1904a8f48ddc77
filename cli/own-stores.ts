// Opens the stores of this configuration for commands that work without a server.

import type { MasterSecrets } from '../credentials/master.ts'
import { type Config, readConfig, readExportConfig } from '../server/config.ts'
import { type Installation, openInstallation } from '../server/installation.ts'
import { limitsHere, storeSizesOf } from '../server/memory.ts'
import { openExportedStores, openStores, type StoreHooks } from '../server/open-stores.ts'
import { FolderInUse } from '../stores/contract/faults.ts'
import type { OpenedStores } from '../stores/contract/stores.ts'
import { masterKeysOf } from '../stores/embedded/data-folder.ts'
import type { DerivedDamaged } from '../stores/embedded/derived-database.ts'
import { CommandFault } from './failure.ts'
import type { GlobalOptions } from './target.ts'
import type { Terminal } from './terminal.ts'

/**
 * Opens the stores. Prints that a file was damaged and is built again, and no other warnings: `serve` and `doctor`
 * print those. Throws FolderInUse, StoresFault for servers that cannot be used or a file that is damaged, and
 * DerivedDamaged: only a server builds views again.
 */
export const openQuietly = (config: Config, terminal: Pick<Terminal, 'err'>): Promise<OpenedStores> =>
  openStores(config, quietHooks(terminal, config))

function quietHooks({ err }: Pick<Terminal, 'err'>, { memory }: Config): StoreHooks {
  const sizes = storeSizesOf(limitsHere(memory))
  const onRepaired = ({ message }: DerivedDamaged) => err(message)
  return { onFailure: () => {}, onRepaired, warn: () => {}, now: Date.now, ...sizes }
}

/** Like `openQuietly`, but throws CommandFault if a server has the data folder open. */
export function openHere(config: Config, terminal: Pick<Terminal, 'err'>): Promise<OpenedStores> {
  return openQuietly(config, terminal).catch((failure: unknown) => {
    if (!(failure instanceof FolderInUse)) throw failure
    throw new CommandFault(`${failure.message}. Stop the server first, or name another folder with DATA_DIR.`)
  })
}

/** The master keys of this configuration. Throws CommandFault if there are none. */
async function masterKeysHere(config: Config): Promise<MasterSecrets> {
  const master = await masterKeysOf(config.dataDir, config)
  if (master !== null) return master
  throw new CommandFault('There is no master key. Set MASTER_KEY, or set DATA_DIR to the folder with secrets.json.')
}

/** Opens the stores with `openHere`, runs, and closes them. */
export async function withOwnStores<Result>(
  config: Config,
  terminal: Pick<Terminal, 'err'>,
  use: (stores: OpenedStores, master: MasterSecrets) => Promise<Result>,
): Promise<Result> {
  const master = await masterKeysHere(config)
  const stores = await openHere(config, terminal)
  try {
    return await use(stores, master)
  } finally {
    await stores.close()
  }
}

export interface OwnStores extends Installation {
  readonly config: Config
  readonly opened: OpenedStores
}

/** What a command does on the stores of this configuration, or else through the server that has them open. */
interface HereOrByServer<Result> {
  here(own: OwnStores): Promise<Result>
  byServer(): Promise<Result>
  /** Whether it may also run for an installation on some of the three servers. Only log and vault are open then. */
  readonly exports?: boolean
}

/** Runs `byServer` if a server has the data folder open, or --url or --key-file is given; else `here`. */
export function hereOrByServer<Result>(
  terminal: Terminal,
  options: GlobalOptions,
  { here, byServer, exports = false }: HereOrByServer<Result>,
): Promise<Result> {
  if (isElsewhere(options)) return byServer()
  if (exports) {
    const read = readExportConfig(terminal.env)
    return unlessServed(read.config, () => openExportedStores(read, quietHooks(terminal, read.config)), here, byServer)
  }
  const config = readConfig(terminal.env)
  return unlessServed(config, () => openQuietly(config, terminal), here, byServer)
}

const isElsewhere = ({ url, keyFile }: GlobalOptions): boolean => url !== undefined || keyFile !== undefined

async function unlessServed<Result>(
  config: Config,
  open: () => Promise<OpenedStores>,
  here: (own: OwnStores) => Promise<Result>,
  byServer: () => Promise<Result>,
): Promise<Result> {
  const master = await masterKeysHere(config)
  const opened = await open().catch((failure: unknown) => {
    if (failure instanceof FolderInUse) return null
    throw failure
  })
  if (opened === null) return byServer()
  try {
    return await here({ config, opened, ...(await openInstallation(opened, master)) })
  } finally {
    await opened.close()
  }
}
