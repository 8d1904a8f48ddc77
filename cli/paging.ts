// The options --limit and --offset of list commands, and the line below a partial page.

import type { Command } from 'commander'
import { UsageFault } from './failure.ts'
import { formatInteger } from './progress.ts'

export interface PagingOptions {
  readonly limit: string
  readonly offset: string
}

export function addPaging(command: Command): Command {
  return command.option('--limit <n>', 'how many (1 to 100)', '20').option('--offset <n>', 'how many to skip', '0')
}

export function pagingOf({ limit, offset }: PagingOptions): { limit: number; offset: number } {
  return { limit: wholeNumber('--limit', limit), offset: wholeNumber('--offset', offset) }
}

/** Throws UsageFault if it is not an integer; the server checks the range. */
export function wholeNumber(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new UsageFault(`${name} must be a whole number, not ${JSON.stringify(text)}.`)
}

interface Counted {
  readonly count: number
  readonly next_offset: number | null
}

/** `pinned`: options that the next page needs too, such as `--season 3`. */
export function pageFooter(
  { count, next_offset: next }: Counted,
  one: string,
  pinned: readonly string[] = [],
): string[] {
  if (count === 0) return ['', `No ${one} here.`]
  if (next === null) return []
  return ['', `${formatInteger(count)} in all; the next page: ${[...pinned, `--offset ${next}`].join(' ')}`]
}
