// `scorebook verify`: checks that the revisions of the log have no gap and no duplicate, and that the views match the
// log. The running server does it, or this command on the stores.

import type { VerifyLine, VerifyResult } from '../clients/javascript/verify-shapes.ts'
import { resolveActiveBuilds } from '../server/node/builds.ts'
import { verifier } from '../server/verify.ts'
import type { Stores } from '../stores/contract/stores.ts'
import { asOperator } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { CommandFault } from './failure.ts'
import { hereOrByServer, type OwnStores } from './own-stores.ts'
import { EVENTS, formatInteger, type Measure, type ProgressBar, progressBar } from './progress.ts'
import { faultLines, faultsCounted, repairAdvice } from './revision-faults.ts'
import type { Target } from './target.ts'
import { DONE, FAILED, printable, type Terminal, withExamples } from './terminal.ts'

type Progress = NonNullable<VerifyLine['progress']>
type OnProgress = (progress: Progress) => void

const DOCUMENTS: Measure = { unit: ' documents' }
const SHOWN_MAX = 50

export function verifyCommand(shell: Shell): void {
  const command = shell.program
    .command('verify')
    .description(
      'check the revisions of the log, rebuild all views from it and compare them with the live ones byte for byte',
    )
  withExamples(command, 'verify', 'verify --json')
  does(shell, command, async ({ terminal, target, options }) => {
    const { onProgress, drop } = progressReporter(terminal)
    const here = (own: OwnStores) => byStores(own, onProgress)
    try {
      return answerOf(
        await hereOrByServer(terminal, options, { here, byServer: () => byServer(target, onProgress) }),
        target,
      )
    } finally {
      drop()
    }
  })
}

async function byStores({ config, stores }: OwnStores, onProgress: OnProgress): Promise<VerifyResult> {
  if (!(await areViewsBuilt(stores))) {
    throw new CommandFault(
      'The views are not built yet, so there is nothing to compare: no server has started since this log was filled. ' +
        'Start one (`npm start`), wait until it is ready, and verify again.',
    )
  }
  // Embedded rankings are in memory, made from the documents at each start.
  const verify = verifier(await resolveActiveBuilds(stores), config.dataDir, config.servers !== null)
  return verify(onProgress, new AbortController().signal)
}

/** True for an empty log, too. */
async function areViewsBuilt({ log, views }: Stores): Promise<boolean> {
  if ((await log.head()) === null) return true
  for (const view of await views.list()) if ((await views.checkpoints(view)).size > 0) return true
  return false
}

async function byServer(target: Target, onProgress: OnProgress): Promise<VerifyResult> {
  const operator = await asOperator(target)
  for await (const { progress, result } of operator.verify()) {
    if (result !== undefined) return result
    if (progress !== undefined) onProgress(progress)
  }
  throw new CommandFault('The server was stopped before the comparison ended. Run verify again.')
}

function progressReporter(terminal: Terminal): { readonly onProgress: OnProgress; drop(): void } {
  let at: Progress['phase'] | null = null
  let bar: ProgressBar | null = null
  return {
    onProgress: ({ phase, done, share, at: where }) => {
      if (phase !== at) bar = progressBar(terminal, phase, null, phase === 'comparing' ? DOCUMENTS : EVENTS)
      at = phase
      bar?.reached(done, share, where ?? '')
    },
    drop: () => bar?.drop(),
  }
}

function answerOf(result: VerifyResult, { invocation }: Target): Answer {
  const { equal, events, documents, ranked, parked, behind, differences, found, position, revisions } = result
  const ranks = ranked === null ? 'rankings are in the server’s process' : `${formatInteger(ranked)} ranked`
  const compared = `${formatInteger(documents)} documents, ${ranks}, from ${formatInteger(events)} events, at position ${position}`
  const isFaulty = revisions !== undefined && revisions.found > 0
  const outcome = isFaulty ? 'the log is faulty, so the views were not compared' : compared
  const lines = equal ? [`equal: ${compared}`] : [`not equal: ${outcome}`]
  if (isFaulty) {
    lines.push(`The log has ${faultsCounted(revisions)}:`)
    lines.push(...faultLines(revisions, SHOWN_MAX).map((line) => `  ${line}`), repairAdvice(invocation))
  }
  if (parked > 0)
    lines.push(`${formatInteger(parked)} streams are parked on both sides: one of their events could not be applied.`)
  if (behind) {
    lines.push('The views are behind the log, so they were compared at their own position.')
    lines.push('Start a server, or find out why the running one applies no events, and verify again.')
  }
  if (found > 0)
    lines.push(`${formatInteger(found)} differences${found > SHOWN_MAX ? `, the first ${SHOWN_MAX} of them` : ''}:`)
  for (const one of differences.slice(0, SHOWN_MAX)) lines.push(...differenceLines(one, 'live'))
  return { json: result, lines, exitCode: equal ? DONE : FAILED }
}

/** `name`: of the live side, at most 7 characters. */
export function differenceLines(
  { view, collection, id, field, live, rebuilt }: VerifyResult['differences'][number],
  name: 'live' | 'before',
): string[] {
  const where = [view, collection, id, field].filter((part) => part !== null).join('  ')
  const shown = (text: string | null) => printable(text ?? 'nothing')
  return [`  ${printable(where)}`, `    ${name.padEnd(7)}  ${shown(live)}`, `    rebuilt  ${shown(rebuilt)}`]
}
