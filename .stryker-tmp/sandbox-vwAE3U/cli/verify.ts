// `scorebook verify`: whether everything that is shown follows from what was recorded. Asked of the running
// server, or of the stores themselves.

import type { VerifyLine, VerifyResult } from '../client/history.ts'
import { asShown } from '../cluster/builds.ts'
import { verifier } from '../composition/verify.ts'
import type { Stores } from '../stores/contract/stores.ts'
import { asOperator } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './examples.ts'
import { DONE, FAILED } from './exit-codes.ts'
import { CommandFault } from './failure.ts'
import { hereOrByServer, type OwnStores } from './own-stores.ts'
import { EVENTS, type Measure, type ProgressBar, progressBar, whole } from './progress.ts'
import type { Target } from './target.ts'
import { printable, type Terminal } from './terminal.ts'

type Progress = NonNullable<VerifyLine['progress']>
type Tell = (progress: Progress) => void

const DOCUMENTS: Measure = { unit: ' documents' }
const SHOWN_MAX = 50

export function verifyCommand(shell: Shell): void {
  const command = shell.program
    .command('verify')
    .description('rebuild all views from the log and compare them with the live ones byte for byte')
  withExamples(command, 'verify', 'verify --json')
  does(shell, command, async ({ terminal, place, options }) => {
    const { tell, drop } = teller(terminal)
    const here = (own: OwnStores) => byStores(own, tell)
    try {
      return answerOf(await hereOrByServer(terminal, options, here, () => byServer(place, tell)))
    } finally {
      drop()
    }
  })
}

async function byStores({ config, stores }: OwnStores, tell: Tell): Promise<VerifyResult> {
  if (!(await areViewsBuilt(stores))) {
    throw new CommandFault(
      'The views are not built yet, so there is nothing to compare: no server has started since this log was filled. ' +
        'Start one (`npm start`), wait until it is ready, and verify again.',
    )
  }
  // Rankings in process are those of a server, which fills them from the documents when it starts.
  const verify = verifier(await asShown(stores), config.dataDir, config.redisUrl !== null)
  return verify(tell, new AbortController().signal)
}

/** Also where the log is empty. */
async function areViewsBuilt({ log, views }: Stores): Promise<boolean> {
  if ((await log.head()) === null) return true
  for (const view of await views.list()) if ((await views.checkpoints(view)).size > 0) return true
  return false
}

async function byServer(place: Target, tell: Tell): Promise<VerifyResult> {
  const operator = await asOperator(place)
  for await (const { progress, result } of operator.verify()) {
    if (result !== undefined) return result
    if (progress !== undefined) tell(progress)
  }
  throw new CommandFault('The server ended before it was done: it was stopped. Run verify again.')
}

/** A bar for each phase. */
function teller(terminal: Terminal): { readonly tell: Tell; drop(): void } {
  let at: Progress['phase'] | null = null
  let bar: ProgressBar | null = null
  return {
    tell: ({ phase, done, share, at: where }) => {
      if (phase !== at) bar = progressBar(terminal, phase, null, phase === 'rebuilding' ? EVENTS : DOCUMENTS)
      at = phase
      bar?.reached(done, share, where ?? '')
    },
    drop: () => bar?.drop(),
  }
}

function answerOf(result: VerifyResult): Answer {
  const { equal, events, documents, ranked, parked, behind, differences, found, position } = result
  const ranks = ranked === null ? 'rankings are in the server’s process' : `${whole(ranked)} ranked`
  const compared = `${whole(documents)} documents, ${ranks}, from ${whole(events)} events, at position ${position}`
  const lines = equal ? [`equal: ${compared}`] : [`not equal: ${compared}`]
  if (parked > 0) lines.push(`${whole(parked)} streams are parked, in both: an event of theirs could not be applied.`)
  if (behind) {
    lines.push('The views stand still before the end of the log, and were compared where they stand.')
    lines.push('Start a server, or see why none goes on, and verify again.')
  }
  if (found > 0)
    lines.push(`${whole(found)} differences${found > SHOWN_MAX ? `, the first ${SHOWN_MAX} of them` : ''}:`)
  for (const one of differences.slice(0, SHOWN_MAX)) lines.push(...differenceLines(one))
  return { json: result, lines, exitCode: equal ? DONE : FAILED }
}

function differenceLines({
  view,
  collection,
  id,
  field,
  live,
  rebuilt,
}: VerifyResult['differences'][number]): string[] {
  const place = [view, collection, id, field].filter((part) => part !== null).join('  ')
  const said = (text: string | null) => printable(text ?? 'nothing')
  return [`  ${printable(place)}`, `    live     ${said(live)}`, `    rebuilt  ${said(rebuilt)}`]
}
