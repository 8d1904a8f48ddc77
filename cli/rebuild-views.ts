// `scorebook rebuild --all` and `--view`: rebuilds views from the log next to the active ones, then switches. The
// running server does it, or this command if no server has the stores open.

import { setTimeout } from 'node:timers/promises'
import type { Builds, ViewsCalls } from '../clients/javascript/views.ts'
import { buildViewsHere } from '../server/build-views-here.ts'
import { asOperator } from './authenticated-clients.ts'
import type { Answer, Invoked } from './command.ts'
import { hereOrByServer } from './own-stores.ts'
import { formatInteger, type Measure, progressBar } from './progress.ts'
import { DONE, FAILED, type Terminal } from './terminal.ts'
import { differenceLines } from './verify.ts'

const CHECK_EVERY_MS = 200
const PERCENT: Measure = { amount: (value) => `${value.toFixed(1)} %` }

export interface ViewsOptions {
  readonly all?: boolean
  readonly view?: readonly string[]
  readonly back?: boolean
  readonly discardPrevious?: boolean
  readonly cancel?: boolean
  readonly watch?: boolean
}

export function rebuildViews({ terminal, target, options }: Invoked<ViewsOptions>): Promise<Answer> {
  const isOf = (calls: ViewsCalls) => runWith(calls, terminal, options)
  return hereOrByServer(terminal, options, {
    here: (own) => buildViewsHere(own, isOf),
    byServer: async () => isOf(await asOperator(target)),
  })
}

async function runWith(calls: ViewsCalls, terminal: Terminal, options: ViewsOptions): Promise<Answer> {
  if (options.back === true) return answerOf(await calls.viewsBack(), true)
  if (options.discardPrevious === true) {
    return {
      json: await calls.discardPreviousViews(),
      lines: ['The previous build is deleted. It cannot be restored.'],
    }
  }
  if (options.cancel === true) {
    const { state } = await calls.builds()
    const cancelled = await calls.cancelViews()
    return state === 'idle'
      ? { json: cancelled, lines: ['Nothing to cancel: no rebuild is running.'] }
      : answerOf(cancelled, true)
  }
  let builds = await calls.builds()
  // Resume a running rebuild, for example after a crash.
  if (builds.state === 'idle' && options.watch !== true) {
    builds = await calls.rebuildViews(options.all === true ? undefined : options.view)
  }
  if (builds.state === 'idle') return answerOf(builds, true)
  const bar = progressBar(terminal, 'Rebuilding', null, PERCENT)
  bar.note('started')
  for (let share = 0; builds.state !== 'idle'; builds = await calls.builds()) {
    share = Math.max(share, builds.share ?? 0)
    bar.reached(share * 100, share)
    await setTimeout(CHECK_EVERY_MS)
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
  if (last === null) return ['No view was rebuilt yet.']
  const views = last.views.join(', ')
  if (last.outcome === 'failed') return [`The rebuild failed, and the active build stays: ${last.reason}`]
  if (last.outcome === 'cancelled') return [`The rebuild of ${views} was cancelled; the active build stays.`]
  if (last.outcome === 'taken_back') return [`Restored the previous build: ${views}.`]
  const compared = `${formatInteger(last.documents ?? 0)} documents compared`
  const lines = [
    `Rebuilt and active: ${views}.`,
    `${compared}, ${formatInteger(last.found ?? 0)} differed from the log.`,
  ]
  return [...lines, ...last.differences.flatMap((one) => differenceLines(one, 'before'))]
}

function wayBack({ way_back: kept }: Builds): string[] {
  return kept === null
    ? []
    : [
        `The previous build can be restored until ${kept.until}: rebuild --back. To delete it now: rebuild --discard-previous.`,
      ]
}
