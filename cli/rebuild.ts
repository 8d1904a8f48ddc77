// `scorebook rebuild <leaderboard>`: recomputes entries from the log under the current or other rules, with a progress
// bar, or previews the result.

import { setTimeout } from 'node:timers/promises'
import type { Client } from '../clients/javascript/connect.ts'
import { ProblemError } from '../clients/javascript/problem.ts'
import type { Preview, Rebuild } from '../clients/javascript/score-shapes.ts'
import { tryEachGameOf } from './authenticated-clients.ts'
import { addRules, type RuleOptions, rulesOf } from './board-rules.ts'
import { type Answer, does, type Shell } from './command.ts'
import { UsageFault } from './failure.ts'
import { formatInteger, progressBar } from './progress.ts'
import { rebuildViews, type ViewsOptions } from './rebuild-views.ts'
import { type Terminal, withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'

const CHECK_EVERY_MS = 200

interface RebuildOptions extends RuleOptions, ViewsOptions {
  readonly preview?: boolean
  readonly watch?: boolean
  readonly cancel?: boolean
}

export function rebuildCommand(shell: Shell): void {
  const command = addRules(shell.program.command('rebuild').argument('[leaderboard]', 'its id or key'))
  command
    .description('recompute a leaderboard or whole views from the event log while the old state is served')
    .option('--preview', 'of a leaderboard: show the result and change nothing')
    .option('--watch', 'watch the running rebuild without starting one')
    .option('--cancel', 'cancel the running rebuild')
    .option('--all', 'all views instead of a leaderboard (operator key)')
    .option('--view <name...>', 'these views instead of a leaderboard (operator key)')
    .option('--back', 'of views: restore the build that was active before the last rebuild')
    .option('--discard-previous', 'of views: delete the previous build; it cannot be restored afterwards')
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
    const { terminal, target, options } = invoked
    checkTogether(options)
    const isOfViews =
      options.all === true || options.view !== undefined || options.back === true || options.discardPrevious === true
    if (id === undefined || isOfViews) {
      checkViews(options, id)
      return rebuildViews(invoked)
    }
    if (options.preview === true) {
      const preview = await tryEachGameOf(target, id, ({ client }) => client.previewRules(id, rulesOf(options)))
      return { json: preview, lines: previewLines(preview, terminal.columns) }
    }
    if (options.cancel === true) {
      const rebuild = await tryEachGameOf(target, id, ({ client }) => client.cancelRebuild(id))
      const summary = rebuild.state === 'cancelled' ? [] : ['Nothing to cancel: it had ended.']
      return { json: rebuild, lines: [...summary, ...endedLines(rebuild)] }
    }
    const ended = await tryEachGameOf(target, id, async ({ client }) => {
      const isThere = options.watch === true || (await begin(client, id, options))
      return isThere ? watch(client, id, terminal) : null
    })
    if (ended === null) {
      const error = options.watch === true ? 'it was never rebuilt' : 'these rules are in force'
      return { json: null, lines: [`Nothing to do: ${error}.`] }
    }
    return { json: ended, lines: endedLines(ended), exitCode: ended.state === 'done' ? 0 : 1 }
  })
}

/** Rejects options that would be ignored silently. Throws UsageFault. */
function checkTogether(options: RebuildOptions): void {
  const { preview, watch, cancel } = options
  if ([preview, watch, cancel].filter((one) => one === true).length > 1)
    throw new UsageFault('Pass only one of --preview, --watch and --cancel.')
  if ((watch === true || cancel === true) && Object.keys(rulesOf(options)).length > 0)
    throw new UsageFault(
      '--watch and --cancel apply to the running rebuild. Leave out the rules: a rebuild that you start is watched anyway.',
    )
}

function checkViews(options: RebuildOptions, id: string | undefined): void {
  const { all, view, back, discardPrevious, cancel, watch } = options
  const given = [all, view, back, discardPrevious].filter((one) => one !== undefined).length
  if (id !== undefined) throw new UsageFault('Pass a leaderboard, or --all / --view, not both.')
  if (given > 1) throw new UsageFault('Pass only one of --all, --view, --back and --discard-previous.')
  if (given === 0 && cancel !== true && watch !== true)
    throw new UsageFault('Pass a leaderboard, or --all / --view to rebuild views.')
  if (options.preview === true || Object.keys(rulesOf(options)).length > 0)
    throw new UsageFault('Rules and --preview need a leaderboard. Pass its id or key.')
}

/** False if the requested rules are in force. If a rebuild is already running, it is watched instead. */
async function begin(client: Client, id: string, options: RebuildOptions): Promise<boolean> {
  const rules = rulesOf(options)
  if (Object.keys(rules).length > 0) return 'rebuild' in (await client.changeRules(id, rules))
  await client.rebuild(id).catch((error: unknown) => {
    if (!(error instanceof ProblemError && error.code === 'rebuild_running')) throw error
  })
  return true
}

/** The ended rebuild; null if there never was one. */
async function watch(client: Client, id: string, terminal: Terminal): Promise<Rebuild | null> {
  let rebuild = await client.rebuildOf(id).catch((error: unknown) => {
    if (error instanceof ProblemError && error.code === 'rebuild_not_found') return null
    throw error
  })
  if (rebuild === null || rebuild.finished !== null) return rebuild
  const { total } = rebuild
  const bar = progressBar(terminal, 'Rebuilding', total)
  for (let done = 0; ; ) {
    done = Math.max(done, Math.min(rebuild.done, total))
    bar.reached(done, total === 0 ? 1 : done / total)
    if (rebuild.finished !== null) break
    await setTimeout(CHECK_EVERY_MS)
    rebuild = await client.rebuildOf(id)
  }
  bar.end()
  return rebuild
}

function endedLines(rebuild: Rebuild): string[] {
  const { state, done, error } = rebuild
  if (state === 'done') return [`Rebuilt from ${formatInteger(done)} recorded events.`]
  if (state === 'failed') return [`The rebuild failed, and the leaderboard is as before: ${error}`]
  return [`The rebuild was ${state}; the leaderboard is as before.`]
}

function previewLines(preview: Preview, width: number): string[] {
  const rankText = (rank: number | null) => (rank === null ? '-' : formatInteger(rank))
  const columns = [
    { title: 'player' },
    { title: 'name', mayCut: true },
    { title: 'before', align: 'right' as const },
    { title: 'after', align: 'right' as const },
  ]
  const rows = preview.top.map((one) => [one.player, one.player_name ?? '', rankText(one.before), rankText(one.after)])
  const summary = `${formatInteger(preview.entries_before)} entries now, ${formatInteger(preview.entries_after)} then; ${formatInteger(preview.changed)} players move.`
  if (rows.length === 0) return [summary]
  const { changed } = preview
  const left =
    rows.length < changed
      ? ['', `${formatInteger(rows.length)} of ${formatInteger(changed)} moves shown, the biggest first.`]
      : []
  return [summary, '', ...textTable(columns, rows, width), ...left]
}
