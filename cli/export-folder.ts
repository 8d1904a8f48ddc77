// Writes events to an export folder with a progress bar. Leaves nothing if it is interrupted or the disk is full.

import type { Format } from '../portability/export/manifest.ts'
import { createArchive } from '../portability/export/write.ts'
import { VERSION } from '../runtime/version.ts'
import type { Answer } from './command.ts'
import type { Source } from './export-sources.ts'
import { CommandFault } from './failure.ts'
import { diskFault } from './local-files.ts'
import { EVENTS, formatInteger, type ProgressBar, progressBar } from './progress.ts'
import type { Terminal } from './terminal.ts'

/** Creates the folder `out`. If it rejects, nothing is left there. */
export async function exportInto(terminal: Terminal, source: Source, out: string, format: Format): Promise<Answer> {
  const bar = progressBar(terminal, 'Exporting', null, EVENTS)
  const ending = new AbortController()
  const listenNoMore = terminal.onInterrupt?.(() => ending.abort())
  try {
    const { manifest, removed } = await copied(source, out, format, bar, ending.signal)
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
  } finally {
    listenNoMore?.()
  }
}

async function copied(source: Source, out: string, format: Format, bar: ProgressBar, ending: AbortSignal) {
  const made = new Date().toISOString()
  const archive = await createArchive(out, format)
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
