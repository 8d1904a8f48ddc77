// `scorebook history export --out`: writes a game's history, or with --all the whole log, to a verifiable folder. Reads
// from the running server, or from the stores if none is running.

import { lstat } from 'node:fs/promises'
import type { EventsQuery } from '../clients/javascript/history.ts'
import { FORMATS, type Format } from '../portability/export/manifest.ts'
import { writeVaultFile } from '../portability/import/vault-file.ts'
import type { Answer, Invoked } from './command.ts'
import { exportInto } from './export-folder.ts'
import { ofGame, ofServer, ofStores } from './export-sources.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { diskFault } from './local-files.ts'
import { hereOrByServer, type OwnStores } from './own-stores.ts'
import { formatInteger } from './progress.ts'
import { printable } from './terminal.ts'

export interface ExportOptions {
  readonly out?: string
  readonly format?: string
  readonly all?: boolean
  readonly vault?: string
}

export async function exportTo(invoked: Invoked<ExportOptions>, query: EventsQuery): Promise<Answer> {
  const { terminal, options, target } = invoked
  const { out, all = false, vault } = options
  const format = formatOf(options.format)
  if (out === undefined || out === '') throw new UsageFault('Pass the target folder of the export with --out.')
  if (vault !== undefined && !all) throw new UsageFault('--vault needs --all: the history of one game has no vault.')
  for (const path of [out, ...(vault === undefined ? [] : [vault])]) await refuseUnlessFree(path)
  if (!all) return exportInto(terminal, await ofGame(target, query), out, format)
  if (Object.keys(query).length > 0) throw new UsageFault('--all exports everything: leave out the filters.')
  const here = async (own: OwnStores) => {
    const answer = await exportInto(terminal, await ofStores(own), out, format)
    return vault === undefined ? answer : withVault(answer, own, vault)
  }
  const byServer = async () => {
    if (vault === undefined) return exportInto(terminal, await ofServer(target), out, format)
    throw new CommandFault('A running server has the vault open. Stop the server first.')
  }
  return hereOrByServer(terminal, options, { here, byServer, exports: true })
}

export function formatOf(text = 'ndjson'): Format {
  const format = FORMATS.find((one) => one === text)
  if (format === undefined) throw new UsageFault(`Unknown format ${printable(text)}: choose ${FORMATS.join(', ')}.`)
  return format
}

/** Rejects an existing or impossible target before hours of work. */
async function refuseUnlessFree(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw diskFault(path, error)
    return null
  })
  if (found !== null) throw new UsageFault(`${printable(path)} exists already: choose another path, or remove it.`)
}

async function withVault(answer: Answer, { opened, keys }: OwnStores, path: string): Promise<Answer> {
  const secrets = await writeVaultFile(path, opened.vault, keys.installation).catch((failure: unknown) => {
    throw diskFault(path, failure)
  })
  const line = `${formatInteger(secrets)} secrets, sealed under the master key, are in ${path}. Keep it apart.`
  return { ...answer, lines: [...answer.lines, line] }
}
