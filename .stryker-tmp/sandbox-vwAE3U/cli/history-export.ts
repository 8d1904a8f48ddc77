// `scorebook history export --out`: a game's history, or with --all everything that was recorded, as a folder that
// proves itself; read from the running server, or where none has them, from the stores.

import { lstat } from 'node:fs/promises'
import { FORMATS, type Format } from '../archive/manifest.ts'
import type { EventsQuery } from '../client/history.ts'
import { writeVaultFile } from '../log-import/vault-file.ts'
import type { Answer, Invoked } from './command.ts'
import { exportInto } from './export-folder.ts'
import { ofGame, ofServer, ofStores } from './export-sources.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { diskFault } from './local-files.ts'
import { hereOrByServer, type OwnStores } from './own-stores.ts'
import { whole } from './progress.ts'
import { printable } from './terminal.ts'

export interface ExportOptions {
  readonly out?: string
  readonly format?: string
  readonly all?: boolean
  readonly vault?: string
}

export async function exportTo(invoked: Invoked<ExportOptions>, query: EventsQuery): Promise<Answer> {
  const { terminal, options, place } = invoked
  const { out, all = false, vault } = options
  const format = formatOf(options.format)
  if (out === undefined || out === '')
    throw new UsageFault('Name the folder that the export is to be made in with --out.')
  if (vault !== undefined && !all) throw new UsageFault('--vault goes with --all: a game’s history needs no vault.')
  for (const path of [out, ...(vault === undefined ? [] : [vault])]) await refuseUnlessFree(path)
  if (!all) return exportInto(terminal, await ofGame(place, query), out, format)
  if (Object.keys(query).length > 0) throw new UsageFault('--all takes everything: leave out what narrows it.')
  const here = async (own: OwnStores) => {
    const answer = await exportInto(terminal, await ofStores(own), out, format)
    return vault === undefined ? answer : withVault(answer, own, vault)
  }
  return hereOrByServer(terminal, options, here, async () => {
    if (vault === undefined) return exportInto(terminal, await ofServer(place), out, format)
    throw new CommandFault('The vault is open in a running server, and is not given out by it: stop the server first.')
  })
}

export function formatOf(text = 'ndjson'): Format {
  const format = FORMATS.find((one) => one === text)
  if (format === undefined) throw new UsageFault(`There is no format ${printable(text)}: choose ${FORMATS.join(', ')}.`)
  return format
}

/** Before hours of work: where something is, and where no disk could have anything of that name. */
async function refuseUnlessFree(path: string): Promise<void> {
  const found = await lstat(path).catch((why: NodeJS.ErrnoException) => {
    if (why.code !== 'ENOENT') throw diskFault(path, why)
    return null
  })
  if (found !== null) throw new UsageFault(`${printable(path)} is there already: name another place, or remove it.`)
}

async function withVault(answer: Answer, { opened, keys }: OwnStores, path: string): Promise<Answer> {
  const secrets = await writeVaultFile(path, opened.vault, keys.installation).catch((failure: unknown) => {
    throw diskFault(path, failure)
  })
  const line = `${whole(secrets)} secrets, sealed under the master key, are in ${path}. Keep it apart.`
  return { ...answer, lines: [...answer.lines, line] }
}
