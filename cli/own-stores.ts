// The stores of this configuration, opened by a command itself where no server does the work.

import type { Config } from '../config.ts'
import { openStores } from '../node/open-stores.ts'
import type { OpenedStores } from '../stores/contract/stores.ts'
import { CommandFault } from './failure.ts'

/** Throws CommandFault where a server has the data folder open, and StoresFault for servers that cannot be used. */
export async function openHere(config: Config): Promise<OpenedStores> {
  try {
    return await openStores(config, { onFailure: () => {}, warn: () => {}, now: Date.now })
  } catch (failure) {
    const { message } = failure as Error
    if (!message.includes('is in use')) throw failure
    throw new CommandFault(`${message}. Stop the server first, or name another folder with DATA_DIR.`)
  }
}
