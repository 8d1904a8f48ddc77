// `scorebook rebuild --all` and `--view`: views rebuilt from the log beside the active ones, then switched;
// asked of the running server, or done by this command where none has the stores.

import { setTimeout } from 'node:timers/promises'
import type { Builds, ViewsCalls } from '../client/views.ts'
import { buildViewsHere } from '../composition/build-views-here.ts'
import { asOperator } from './authenticated-clients.ts'
import type { Answer, Invoked } from './command.ts'
import { DONE, FAILED } from './exit-codes.ts'
import { hereOrByServer } from './own-stores.ts'
import { type Measure, progressBar, whole } from './progress.ts'
import { printable, type Terminal } from './terminal.ts'

const LOOK_EVERY_MS = 200
const PERCENT: Measure = { amount: (value) => `${value.toFixed(1)} %` }

export interface ViewsOptions {
  readonly all?: boolean
  readonly view?: readonly string[]
  readonly back?: boolean
  readonly letGo?: boolean
  readonly cancel?: boolean
  readonly watch?: boolean
}

export function rebuildViews({ terminal, place, options }: Invoked<ViewsOptions>): Promise<Answer> {
  const isOf = (calls: ViewsCalls) => bring(calls, terminal, options)
  return hereOrByServer(
    terminal,
    options,
    (own) => buildViewsHere(own, isOf),
    async () => isOf(await asOperator(place)),
  )
}

async function bring(calls: ViewsCalls, terminal: Terminal, options: ViewsOptions): Promise<Answer> {
  if (options.back === true) return answerOf(await calls.viewsBack(), true)
  if (options.letGo === true) {
    return { json: await calls.letGoOfViews(), lines: ['There is no way back: what was shown before is dropped.'] }
  }
  if (options.cancel === true) {
    const { state } = await calls.builds()
    const cancelled = await calls.cancelViews()
    return state === 'idle' ? { json: cancelled, lines: ['Nothing to cancel: none runs.'] } : answerOf(cancelled, true)
  }
  let builds = await calls.builds()
  // One that runs already, as after a crash, is gone on with.
  if (builds.state === 'idle' && options.watch !== true) {
    builds = await calls.rebuildViews(options.all === true ? undefined : options.view)
  }
  if (builds.state === 'idle') return answerOf(builds, true)
  const bar = progressBar(terminal, 'Rebuilding', null, PERCENT)
  bar.note('begun')
  for (let share = 0; builds.state !== 'idle'; builds = await calls.builds()) {
    share = Math.max(share, builds.share ?? 0)
    bar.reached(share * 100, share)
    await setTimeout(LOOK_EVERY_MS)
  }
  bar.end()
  return answerOf(builds, false)
}

function answerOf(builds: Builds, isAsked: boolean): Answer {
  const { last } = builds
  const exitCode = isAsked || last?.outcome === 'switched' ? DONE : FAILED
  return { json: builds, lines: [...linesOf(last), ...wayBack(builds)], exitCode }
}

function linesOf(last: Builds['last']): string[] {
  if (last === null) return ['No view was ever rebuilt beside itself.']
  const views = last.views.join(', ')
  if (last.outcome === 'failed') return [`The rebuild failed, and what is shown stays: ${last.reason}`]
  if (last.outcome === 'cancelled') return [`The rebuild of ${views} was cancelled; what is shown stays.`]
  if (last.outcome === 'taken_back') return [`Shown again as before: ${views}.`]
  const compared = `${whole(last.documents ?? 0)} documents compared`
  const lines = [`Rebuilt and shown: ${views}.`, `${compared}, ${whole(last.found ?? 0)} were not as they should be.`]
  for (const { view, collection, id, field, live, rebuilt } of last.differences) {
    const place = [view, collection, id, field].filter((part) => part !== null).join('  ')
    lines.push(`  ${printable(place)}`, `    before   ${printable(live ?? 'nothing')}`)
    lines.push(`    rebuilt  ${printable(rebuilt ?? 'nothing')}`)
  }
  return lines
}

function wayBack({ way_back: kept }: Builds): string[] {
  return kept === null ? [] : [`There is a way back until ${kept.until}: rebuild --back. rebuild --let-go ends it.`]
}
