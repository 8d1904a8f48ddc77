// `scorebook rebuild <leaderboard>`: its entries recomputed from the log, under the present or other rules, with
// a bar to watch; or told beforehand.

import { setTimeout } from 'node:timers/promises'
import type { Client } from '../client/connect.ts'
import { ProblemError } from '../client/problem.ts'
import type { Preview, Rebuild } from '../client/score-shapes.ts'
import { whereFound } from './authenticated-clients.ts'
import { addRules, type RuleOptions, rulesOf } from './board-rules.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './examples.ts'
import { UsageFault } from './failure.ts'
import { progressBar, whole } from './progress.ts'
import { rebuildViews, type ViewsOptions } from './rebuild-views.ts'
import type { Terminal } from './terminal.ts'
import { textTable } from './text-table.ts'

const LOOK_EVERY_MS = 200

interface RebuildOptions extends RuleOptions, ViewsOptions {
  readonly preview?: boolean
  readonly watch?: boolean
  readonly cancel?: boolean
}

export function rebuildCommand(shell: Shell): void {
  const command = addRules(shell.program.command('rebuild').argument('[leaderboard]', 'its id'))
  command
    .description('recompute a leaderboard or whole views from the event log while the old state is served')
    .option('--preview', 'of a leaderboard: only tell how it would look; nothing is changed')
    .option('--watch', 'begin nothing: watch the one that runs')
    .option('--cancel', 'cancel the one that runs')
    .option('--all', 'in place of a leaderboard: all views, as operator')
    .option('--view <name...>', 'in place of a leaderboard: these views, as operator')
    .option('--back', 'of views: show again what was shown before the last switch')
    .option('--let-go', 'of views: end the way back')
  withExamples(
    command,
    'rebuild abcd2345abcd2345abcd2345',
    'rebuild abcd2345abcd2345abcd2345 --no-unique --preview',
    'rebuild abcd2345abcd2345abcd2345 --ordering asc --min 0',
    'rebuild --all',
    'rebuild --view entries',
    'rebuild --back',
  )
  does<RebuildOptions>(shell, command, async (invoked, id): Promise<Answer> => {
    const { terminal, place, options } = invoked
    checkTogether(options)
    const isOfViews =
      options.all === true || options.view !== undefined || options.back === true || options.letGo === true
    if (id === undefined || isOfViews) {
      checkViews(options, id)
      return rebuildViews(invoked)
    }
    if (options.preview === true) {
      const preview = await whereFound(place, ({ client }) => client.previewRules(id, rulesOf(options)))
      return { json: preview, lines: previewLines(preview, terminal.columns) }
    }
    if (options.cancel === true) {
      const rebuild = await whereFound(place, ({ client }) => client.cancelRebuild(id))
      const told = rebuild.state === 'cancelled' ? [] : ['Nothing to cancel: it was over.']
      return { json: rebuild, lines: [...told, ...endedLines(rebuild)] }
    }
    const ended = await whereFound(place, async ({ client }) => {
      const isThere = options.watch === true || (await begin(client, id, options))
      return isThere ? watch(client, id, terminal) : null
    })
    if (ended === null) {
      const why = options.watch === true ? 'it was never rebuilt' : 'these rules are in force'
      return { json: null, lines: [`Nothing to do: ${why}.`] }
    }
    return { json: ended, lines: endedLines(ended), exitCode: ended.state === 'done' ? 0 : 1 }
  })
}

/** What would be passed over without a word. Throws UsageFault. */
function checkTogether(options: RebuildOptions): void {
  const { preview, watch, cancel } = options
  if ([preview, watch, cancel].filter((one) => one === true).length > 1)
    throw new UsageFault('One of --preview, --watch and --cancel at a time.')
  if ((watch === true || cancel === true) && Object.keys(rulesOf(options)).length > 0)
    throw new UsageFault(
      '--watch and --cancel are of the one that runs: leave out the rules. A rebuild that is asked for is watched.',
    )
}

/** Throws UsageFault. */
function checkViews(options: RebuildOptions, id: string | undefined): void {
  const { all, view, back, letGo, cancel, watch } = options
  const asked = [all, view, back, letGo].filter((one) => one !== undefined).length
  if (id !== undefined) throw new UsageFault('Pass a leaderboard id, or --all / --view, not both.')
  if (asked > 1) throw new UsageFault('One of --all, --view, --back and --let-go at a time.')
  if (asked === 0 && cancel !== true && watch !== true)
    throw new UsageFault('Pass a leaderboard id, or --all / --view to rebuild views.')
  if (options.preview === true || Object.keys(rulesOf(options)).length > 0)
    throw new UsageFault('Rules and their preview are of a leaderboard: name it.')
}

/** False where the rules that are asked for are in force. A rebuild that runs already is watched instead. */
async function begin(client: Client, id: string, options: RebuildOptions): Promise<boolean> {
  const rules = rulesOf(options)
  if (Object.keys(rules).length > 0) return 'rebuild' in (await client.changeRules(id, rules))
  await client.rebuild(id).catch((why: unknown) => {
    if (!(why instanceof ProblemError && why.code === 'rebuild_running')) throw why
  })
  return true
}

/** The rebuild as it ended; null where there never was one. */
async function watch(client: Client, id: string, terminal: Terminal): Promise<Rebuild | null> {
  let rebuild = await client.rebuildOf(id).catch((why: unknown) => {
    if (why instanceof ProblemError && why.code === 'rebuild_not_found') return null
    throw why
  })
  if (rebuild === null || rebuild.finished !== null) return rebuild
  const { total } = rebuild
  const bar = progressBar(terminal, 'Rebuilding', total)
  for (let done = 0; ; ) {
    done = Math.max(done, Math.min(rebuild.done, total))
    bar.reached(done, total === 0 ? 1 : done / total)
    if (rebuild.finished !== null) break
    await setTimeout(LOOK_EVERY_MS)
    rebuild = await client.rebuildOf(id)
  }
  bar.end()
  return rebuild
}

function endedLines(rebuild: Rebuild): string[] {
  const { state, done, error } = rebuild
  if (state === 'done') return [`Rebuilt from ${whole(done)} recorded events.`]
  if (state === 'failed') return [`The rebuild failed, and the leaderboard is as before: ${error}`]
  return [`The rebuild was ${state}; the leaderboard is as before.`]
}

function previewLines(preview: Preview, width: number): string[] {
  const place = (rank: number | null) => (rank === null ? '-' : whole(rank))
  const columns = [
    { title: 'player' },
    { title: 'name', mayCut: true },
    { title: 'before', align: 'right' as const },
    { title: 'after', align: 'right' as const },
  ]
  const rows = preview.top.map((one) => [one.player, one.player_name ?? '', place(one.before), place(one.after)])
  const told = `${whole(preview.entries_before)} entries now, ${whole(preview.entries_after)} then; ${whole(preview.changed)} players move.`
  if (rows.length === 0) return [told]
  const { changed } = preview
  const left =
    rows.length < changed ? ['', `${whole(rows.length)} of ${whole(changed)} moves shown, the biggest first.`] : []
  return [told, '', ...textTable(columns, rows, width), ...left]
}
