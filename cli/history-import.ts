// `scorebook history verify` checks an export; `scorebook history import` creates a new installation from it.

import { existsSync } from 'node:fs'
import { sealingKeys, type WorkingKeys } from '../credentials/master.ts'
import { idIn } from '../domain/streams.ts'
import { ArchiveFault, type Manifest } from '../portability/export/manifest.ts'
import { eventsAgain } from '../portability/export/read.ts'
import { verifyArchive } from '../portability/export/verify.ts'
import { importLog } from '../portability/import/import-log.ts'
import { readConfig } from '../server/config.ts'
import { issueOperator, operatorFile } from '../server/operator.ts'
import type { Stores } from '../stores/contract/stores.ts'
import { openDataFolder } from '../stores/embedded/data-folder.ts'
import type { Answer } from './command.ts'
import { CommandFault } from './failure.ts'
import { commandsWith } from './init.ts'
import { openHere } from './own-stores.ts'
import { EVENTS, formatInteger, type ProgressBar, progressBar } from './progress.ts'
import type { Terminal } from './terminal.ts'

export async function verifyExport(terminal: Terminal, folder: string): Promise<Answer> {
  const manifest = await checked(terminal, folder)
  const { events, first, last, chain, format } = manifest
  const span = first === null ? '' : `, positions ${first} to ${last}`
  const lines = [`verified: ${formatInteger(events)} events as ${format}${span}`, `chain ${chain}`]
  return { json: { whole: true, ...manifest }, lines }
}

export async function importExport(terminal: Terminal, folder: string, vaultFile: string | null): Promise<Answer> {
  const config = readConfig(terminal.env)
  const manifest = await checked(terminal, folder)
  if (!('whole' in manifest.scope) || manifest.format !== 'ndjson') {
    throw new CommandFault(
      'Only a whole log can be imported: what `history export --all` makes, as ndjson. This is ' +
        `${'whole' in manifest.scope ? 'a whole log' : 'one game’s history'} as ${manifest.format}. Nothing was imported.`,
    )
  }
  const { events } = manifest
  const master = await openDataFolder(config.dataDir, config)
  const opened = await openHere(config, terminal)
  try {
    let phase = ''
    let bar: ProgressBar | null = null
    const onProgress = (now: 'importing' | 'reading back', done: number) => {
      if (now !== phase) {
        bar?.end()
        phase = now
        bar = progressBar(terminal, now === 'importing' ? 'Importing' : 'Reading back', events, EVENTS)
      }
      bar?.reached(done, events === 0 ? null : done / events)
      if (done === events && now === 'reading back') bar?.end()
    }
    const file = operatorFile(config.dataDir)
    const isMade = !existsSync(file)
    const finish = async (stores: Stores, keys: WorkingKeys) => {
      if (isMade) await issueOperator(commandsWith(opened, stores, keys), config.dataDir, Date.now())
    }
    await importLog(opened, sealingKeys(master), { folder, manifest, vaultFile, onProgress, finish })
    const operators = await operatorKeysIn(folder, manifest)
    return answerOf(manifest, { file, isMade, hasVault: vaultFile !== null, operators })
  } finally {
    await opened.close()
  }
}

interface Made {
  readonly file: string
  readonly isMade: boolean
  readonly hasVault: boolean
  /** Prefixes of the operator keys that the export contains. */
  readonly operators: readonly string[]
}

/** Without revoked ones. An export has no authentication code: who could write to it can have added one. */
async function operatorKeysIn(folder: string, manifest: Manifest): Promise<string[]> {
  const keys = new Set<string>()
  for await (const page of eventsAgain(folder, manifest)) {
    for (const { event } of page) {
      if (event.meta.game !== null) continue
      if (event.type === 'KeyIssued') keys.add(idIn(event.stream))
      if (event.type === 'KeyRevoked') keys.delete(idIn(event.stream))
    }
  }
  return [...keys].sort()
}

function answerOf({ events, installation }: Manifest, { file, isMade, hasVault, operators }: Made): Answer {
  const lines = [`${formatInteger(events)} events were imported. The next start builds the views from them.`]
  if (isMade) lines.push(`A new operator key is in ${file}.`)
  if (hasVault) lines.push('Keys, passwords and addresses came with the vault.')
  else {
    lines.push(
      'The export has no secrets. Issue the HMAC keys again (`npx scorebook key issue --game <id>`); keys with a',
    )
    lines.push(
      'public key stay valid. Passwords and guest tokens no longer work, so players who have only those cannot sign in.',
    )
  }
  lines.push(
    'The export has no bytes of files: copy FILES_DIR, or set the same S3_URL. If the stores replace the exported ones for good, run ' +
      '`npx scorebook files adopt` before the start: a store that another installation owns takes no uploads.',
  )
  if (operators.length > 0) {
    lines.push(
      `Operator keys that came with the export: ${operators.join(', ')}. Who could write to the export can have added one: if you ` +
        'do not know one of them, start no server on these stores.',
    )
  }
  return { json: { events, installation, operator_file: file, operator_keys: operators, vault: hasVault }, lines }
}

async function checked(terminal: Terminal, folder: string): Promise<Manifest> {
  const bar = progressBar(terminal, 'Checking', null, EVENTS)
  try {
    return await verifyArchive(folder, bar.reached)
  } catch (failure) {
    throw failure instanceof ArchiveFault ? new CommandFault(failure.message) : failure
  } finally {
    bar.drop()
  }
}
