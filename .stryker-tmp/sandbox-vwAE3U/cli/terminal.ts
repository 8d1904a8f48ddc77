// Where a command is run: its environment, and where its words go. Passed in, so that
// tests can stand in for a terminal.

import { once } from 'node:events'
import { withoutControlOrBidi } from '../domain/text.ts'

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** A line of the result; with --json nothing else is printed. */
  out(line: string): void
  /** A line beside the result: errors, progress. */
  err(line: string): void
  /** Width to keep to. */
  readonly columns: number
  /** Draws over the present line, where a person is watching; null where lines are kept (a file, a pipe). */
  readonly redraw: ((text: string) => void) | null
  /**
   * Waits until the reader of the output has taken (nearly) all of it, or the command is to end; without it there is nothing to
   * wait for.
   */
  readonly taken?: (ending: AbortSignal) => Promise<void>
  /** Calls back, at most once, where the person wants it to end; answers how to no longer listen. Without it: never. */
  readonly onInterrupt?: (stop: () => void) => () => void
}

const USUAL_COLUMNS = 80
const LEAST_COLUMNS = 40
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const

export function terminalOf(host: NodeJS.Process): Terminal {
  const { stdout, stderr, env } = host
  return {
    env,
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    columns: Math.max(LEAST_COLUMNS, stdout.columns ?? stderr.columns ?? USUAL_COLUMNS),
    redraw: stderr.isTTY ? (text) => void stderr.write(`\r\u001b[K${text}`) : null,
    taken: async (ending) => {
      // A pipe is written to without waiting: what its reader does not take would gather here.
      if (stdout.writableNeedDrain) await once(stdout, 'drain', { signal: ending }).catch(() => {})
    },
    onInterrupt: (stop) => {
      // Listened to once: a second one ends the process at once.
      for (const signal of INTERRUPTS) host.once(signal, stop)
      return () => {
        for (const signal of INTERRUPTS) host.off(signal, stop)
      }
    },
  }
}

/** Text of somebody else's on one line: what could move the cursor or turn the text round is shown as a mark. */
export function printable(text: string): string {
  return withoutControlOrBidi(text, '\ufffd')
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** The text in at most so many columns, with a mark where something was cut off. */
export function shortened(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let short = ''
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(short + segment) > columns - 1) break
    short += segment
  }
  return `${short}…`
}
