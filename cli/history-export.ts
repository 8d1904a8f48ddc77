// `scorebook history export --out`: writes a game's history, or with --all the whole log, to a verifiable folder. Reads
// from the running server, or from the stores if none is running.

import { lstat } from 'node:fs/promises'
import type { EventsQuery } from '../clients/javascript/history.ts'
import { FORMATS, type Format } from '../portability/export/manifest.ts'
import { createArchive } from '../portability/export/write.ts'
import { writeVaultFile } from '../portability/import/vault-file.ts'
import { VERSION } from '../runtime/version.ts'
import type { Answer, Invoked } from './command.ts'
import { ofGame, ofServer, ofStores, type Source } from './export-sources.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { diskFault } from './local-files.ts'
import { hereOrByServer, type OwnStores } from './own-stores.ts'
import { EVENTS, formatInteger, type ProgressBar, progressBar } from './progress.ts'
import { interruptible, printable, type Terminal } from './terminal.ts'

export interface ExportOptions {
  readonly out?: string
  readonly format?: string
  readonly bom?: boolean
  readonly all?: boolean
  readonly vault?: string
}

interface Form {
  readonly format: Format
  /** CSV only: whether it begins with a byte order mark. */
  readonly bom: boolean
}

export async function exportTo(invoked: Invoked<ExportOptions>, query: EventsQuery): Promise<Answer> {
  const { terminal, options, target } = invoked
  const { out, all = false, vault, bom = false } = options
  const format = formatOf(options.format)
  const form = { format, bom }
  if (out === undefined || out === '') throw new UsageFault('Pass the target folder of the export with --out.')
  if (bom && format !== 'csv') throw new UsageFault('--bom is for CSV only: add --format csv, or leave it out.')
  if (vault !== undefined && !all) throw new UsageFault('--vault needs --all: the history of one game has no vault.')
  for (const path of [out, ...(vault === undefined ? [] : [vault])]) await refuseUnlessFree(path)
  if (!all) return exportInto(terminal, await ofGame(target, query), out, form)
  if (Object.keys(query).length > 0) throw new UsageFault('--all exports everything: leave out the filters.')
  const here = async (own: OwnStores) => {
    const answer = await exportInto(terminal, await ofStores(own), out, form)
    return vault === undefined ? answer : withVault(answer, own, vault)
  }
  const byServer = async () => {
    if (vault === undefined) return exportInto(terminal, await ofServer(target), out, form)
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

/** Creates the folder `out`. If it rejects, as after an interrupt or on a full disk, nothing is left there. */
export async function exportInto(terminal: Terminal, source: Source, out: string, form: Form): Promise<Answer> {
  const bar = progressBar(terminal, 'Exporting', null, EVENTS)
  try {
    const { manifest, removed } = await interruptible(terminal, ({ signal }) => copied(source, out, form, bar, signal))
    bar.end()
    const { events, chain } = manifest
    const notes = removed === 0 ? [] : ['Leftovers of a killed export next to it were removed.']
    return {
      json: { out, ...manifest },
      lines: [...notes, `${formatInteger(events)} events are in ${out}.`, `chain ${chain}`],
    }
  } catch (failure) {
    bar.drop()
    throw diskFault(out, failure)
  }
}

async function copied(source: Source, out: string, { format, bom }: Form, bar: ProgressBar, ending: AbortSignal) {
  const made = new Date().toISOString()
  const archive = await createArchive(out, format, { bom })
  const refuseStopped = () => {
    if (ending.aborted) throw new CommandFault('Stopped. The export was removed.')
  }
  let done = 0
  try {
    for await (const events of source.pages(ending)) {
      refuseStopped()
      await archive.add(events)
      done += events.length
      const last = events.at(-1)
      if (last !== undefined) bar.reached(done, source.share(last))
    }
    refuseStopped()
    const about = { version: VERSION, made, installation: source.installation(), scope: source.scope }
    return { manifest: await archive.finish(about), removed: archive.removed }
  } catch (failure) {
    await archive.abandon()
    throw failure
  }
}
