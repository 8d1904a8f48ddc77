// `scorebook score why`: prints the events that made a score what it is.

import type { Command } from 'commander'
import type { ScoreExplanation } from '../clients/javascript/history.ts'
import { tryEachGame } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { addPaging, type PagingOptions, pageFooter, pagingOf } from './paging.ts'
import { formatInteger } from './progress.ts'
import { withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'

export function whyCommand(shell: Shell, group: Command): void {
  const command = addPaging(group.command('why').argument('<score>', 'its id'))
  command.description('show the events that made a score; --limit and --offset apply to a total')
  withExamples(
    command,
    'score why abcd2345abcd2345abcd2345',
    'score why abcd2345abcd2345abcd2345 --limit 100 --offset 100',
  )
  does<PagingOptions>(shell, command, async ({ target, terminal, options }, id): Promise<Answer> => {
    const paging = pagingOf(options)
    const explained = await tryEachGame(target, ({ client }) => client.why(id, paging))
    return { json: explained, lines: [...eventLines(explained, terminal.columns), ...footerOf(explained)] }
  })
}

function eventLines({ events }: ScoreExplanation, fit: number): string[] {
  const right = 'right' as const
  const columns = [
    { title: 'time' },
    { title: 'effect' },
    { title: 'score', align: right },
    { title: 'second', align: right },
    { title: 'event' },
  ]
  const rows = events.map(({ effect, event: { time, type, data } }) => [
    time.slice(0, 19).replace('T', ' '),
    effect,
    textOf(data.score),
    textOf(data.secondary),
    type,
  ])
  return textTable(columns, rows, fit)
}

/** A decimal in the data of an event; empty if the event has none. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function footerOf({ count, next_offset: next, left_out: leftOut = 0 }: ScoreExplanation): string[] {
  if (count !== undefined && next !== undefined) return pageFooter({ count, next_offset: next }, 'submission')
  return leftOut === 0 ? [] : ['', `The oldest ${formatInteger(leftOut)} events are left out.`]
}
