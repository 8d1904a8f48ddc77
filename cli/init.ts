// `scorebook init`: creates the data folder, its secrets and the operator key without starting a server. Production
// needs it, because a server start creates no operator key there.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandDeps } from '../commands/command-deps.ts'
import { createHandler } from '../commands/handle.ts'
import type { MasterSecrets, WorkingKeys } from '../credentials/master.ts'
import { type Config, readConfig } from '../server/config.ts'
import { openInstallation } from '../server/installation.ts'
import { issueOperator, makeOperator, operatorFile } from '../server/operator.ts'
import type { Noted } from '../stores/contract/revocations.ts'
import type { OpenedStores, Stores } from '../stores/contract/stores.ts'
import { openDataFolder } from '../stores/embedded/data-folder.ts'
import { type Answer, does, type Shell } from './command.ts'
import { CommandFault } from './failure.ts'
import { openHere } from './own-stores.ts'
import { type Terminal, withExamples } from './terminal.ts'
import { fieldLines } from './text-table.ts'

export function initCommand(shell: Shell): void {
  const command = shell.program
    .command('init')
    .description('create the data folder, its secrets and the operator key, without starting the server')
    .option('--new-key', 'write another operator key to operator.json; the previous one stays valid')
  withExamples(command, 'init', 'init --new-key')
  does<{ newKey?: boolean }>(shell, command, async ({ terminal, options }): Promise<Answer> => {
    const config = readConfig(terminal.env)
    const file = await initialise(config, options.newKey === true, terminal)
    const { dataDir } = config
    const lines = [
      'Ready to serve.',
      '',
      ...fieldLines([
        ['data folder', dataDir],
        ['operator key', file],
      ]),
    ]
    if (config.masterKey === null) lines.push('', `${join(dataDir, 'secrets.json')} holds the master key: keep a copy.`)
    return { json: { data_dir: dataDir, operator_file: file }, lines }
  })
}

/**
 * Returns the operator key's file. Throws CommandFault if the folder is in use or already contains an installation.
 */
async function initialise(config: Config, newKey: boolean, terminal: Terminal): Promise<string> {
  const { dataDir } = config
  const master = await openDataFolder(dataDir, config)
  const stores = await openHere(config, terminal)
  try {
    const deps = await commandsOn(stores, master)
    const file = operatorFile(dataDir)
    if (newKey) {
      await issueOperator(deps, dataDir, Date.now())
      return file
    }
    if ((await makeOperator(deps, stores.log, dataDir, Date.now())) !== null) return file
    const where = existsSync(file) ? `its operator key is in ${file}` : 'its operator key is no longer here'
    throw new CommandFault(
      `${dataDir} holds an installation already; ${where}. Serve it with \`npm start\`, choose another folder with ` +
        'DATA_DIR, or issue another operator key with `npx scorebook init --new-key`.',
    )
  } finally {
    await stores.close()
  }
}

async function commandsOn(stores: OpenedStores, master: MasterSecrets): Promise<CommandDeps> {
  const { stores: own, keys } = await openInstallation(stores, master)
  return commandsWith(stores, own, keys)
}

/** `own`: the same stores, decrypted. */
export function commandsWith({ revocations }: OpenedStores, { log, vault }: Stores, keys: WorkingKeys): CommandDeps {
  const publish = (changes: readonly Noted[]) => revocations.note(changes, Date.now())
  return { handler: createHandler(log), log, vault, keys, publish }
}
