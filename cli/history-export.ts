// `scorebook history export --out`: a game's history, or with --all everything that was recorded, as a folder that proves
// itself; read from the running server, or where none has them, from the stores.

import { existsSync } from 'node:fs'
import { FORMATS, type Format, type Manifest } from '../archive/manifest.ts'
import { createArchive } from '../archive/write.ts'
import type { EventsQuery, GameEvent, LogHead } from '../client/history.ts'
import { type Position, type StoredEvent, shaped } from '../domain/event.ts'
import { writeVaultFile } from '../node/vault-file.ts'
import { wholeLog } from '../queries/whole-log.ts'
import { shareOf } from '../stores/contract/share.ts'
import { VERSION } from '../version.ts'
import type { Answer, Invoked } from './command.ts'
import { asGame, asOperator } from './connection.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { hereOrByServer, type OwnStores } from './own-stores.ts'
import { whole } from './progress.ts'
import { type ShareBar, shareBar } from './share-bar.ts'
import { printable, type Terminal } from './terminal.ts'

export interface ExportOptions {
  readonly out?: string
  readonly format?: string
  readonly all?: boolean
  readonly vault?: string
}

/** What is read: pages of events, how far they go, and what the manifest says of where they are from. */
interface Source {
  readonly scope: Manifest['scope']
  readonly installation: () => string | null
  readonly pages: AsyncIterable<readonly StoredEvent[]>
  share(last: StoredEvent): number | null
}

/** Events of a stream that are written together. */
const PAGE = 500

export async function exportTo(invoked: Invoked<ExportOptions>, query: EventsQuery): Promise<Answer> {
  const { terminal, options } = invoked
  const { out, all = false, vault } = options
  const format = formatOf(options.format)
  if (out === undefined) throw new UsageFault('Name the folder that the export is to be made in with --out.')
  if (vault !== undefined && !all) throw new UsageFault('--vault goes with --all: a game’s history needs no vault.')
  for (const path of [out, ...(vault === undefined ? [] : [vault])]) {
    if (existsSync(path)) throw new UsageFault(`${printable(path)} is there already: name another place, or remove it.`)
  }
  if (!all) return written(terminal, await ofGame(invoked, query), out, format)
  if (Object.keys(query).length > 0) throw new UsageFault('--all takes everything: leave out what narrows it.')
  const here = (own: OwnStores) => ofStores(own, invoked, out, format)
  return hereOrByServer(terminal, options, here, async () => {
    if (vault === undefined) return written(terminal, await ofServer(invoked), out, format)
    throw new CommandFault('The vault is open in a running server, and is not given out by it: stop the server first.')
  })
}

export function formatOf(text = 'ndjson'): Format {
  const format = FORMATS.find((one) => one === text)
  if (format === undefined) throw new UsageFault(`There is no format ${printable(text)}: choose ${FORMATS.join(', ')}.`)
  return format
}

/** One game's, as its server key may read it. How far it is, is estimated by the events' times. */
async function ofGame({ place }: Invoked<ExportOptions>, query: EventsQuery): Promise<Source> {
  const { client, game } = await asGame(place)
  let first: number | null = null
  const end = query.until === undefined || Number.isNaN(Date.parse(query.until)) ? Date.now() : Date.parse(query.until)
  const filters = Object.entries(query).map(([name, value]) => [name, String(value)])
  return {
    scope: { game, filters: Object.fromEntries(filters) },
    installation: () => null,
    pages: paged(client.events(game, query)),
    share: ({ meta }) => {
      const at = Date.parse(meta.time)
      first ??= at
      return end > first ? (at - first) / (end - first) : null
    },
  }
}

async function ofServer({ place }: Invoked<ExportOptions>): Promise<Source> {
  const operator = await asOperator(place)
  let log: LogHead | null = null
  const events = operator.wholeLog((told) => {
    log = told
  })
  const known = () => log
  return {
    scope: { whole: true },
    installation: () => known()?.installation ?? null,
    pages: paged(events),
    share: ({ position }) => shareUpTo(position, known()?.head),
  }
}

async function ofStores(
  { opened, stores, keys: { installation } }: OwnStores,
  { terminal, options }: Invoked<ExportOptions>,
  out: string,
  format: Format,
): Promise<Answer> {
  const head = await stores.log.head()
  const source: Source = {
    scope: { whole: true },
    installation: () => installation,
    pages: wholeLog(stores.log, null, head),
    share: ({ position }) => shareUpTo(position, head),
  }
  const answer = await written(terminal, source, out, format)
  if (options.vault === undefined) return answer
  const secrets = await writeVaultFile(options.vault, opened.vault, installation)
  const line = `${whole(secrets)} secrets, sealed under the master key, are in ${options.vault}. Keep it apart.`
  return { ...answer, lines: [...answer.lines, line] }
}

const shareUpTo = (position: Position, head: Position | null | undefined): number | null =>
  head ? shareOf(position, head) : null

async function* paged(events: AsyncIterable<GameEvent>): AsyncGenerator<readonly StoredEvent[]> {
  let page: StoredEvent[] = []
  for await (const event of events) {
    page.push(shaped<StoredEvent>(event))
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

async function written(terminal: Terminal, source: Source, out: string, format: Format): Promise<Answer> {
  const bar = shareBar(terminal, 'Exporting')
  let isStopped = false
  const listenNoMore = terminal.onInterrupt?.(() => {
    isStopped = true
  })
  try {
    const manifest = await copied(source, out, format, bar, () => isStopped)
    bar.end()
    const { events, chain } = manifest
    const lines = [`${whole(events)} events are in ${out}.`, `chain ${chain}`]
    return { json: { out, ...manifest }, lines }
  } catch (failure) {
    bar.drop()
    throw named(failure, out)
  } finally {
    listenNoMore?.()
  }
}

async function copied(source: Source, out: string, format: Format, bar: ShareBar, isStopped: () => boolean) {
  const made = new Date().toISOString()
  const archive = await createArchive(out, format)
  let done = 0
  try {
    for await (const events of source.pages) {
      if (isStopped()) throw new CommandFault('Stopped. Nothing of the export was kept.')
      await archive.add(events)
      done += events.length
      const last = events.at(-1)
      if (last !== undefined) bar.reached(done, source.share(last))
    }
    return await archive.finish({ version: VERSION, made, installation: source.installation(), scope: source.scope })
  } catch (failure) {
    await archive.abandon()
    throw failure
  }
}

function named(failure: unknown, out: string): unknown {
  const { code } = failure as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new CommandFault(
      `The disk of ${printable(out)} is full: nothing of the export was kept. Make room, or name another.`,
    )
  }
  if (code === 'ENOTEMPTY' || code === 'EEXIST') {
    return new CommandFault(`${printable(out)} has come to be while the export was made: nothing of it was kept.`)
  }
  return failure
}
