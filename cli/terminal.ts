// The environment of a command, and what it puts out: lines, examples below its help, exit codes. A terminal is
// injected, so that tests can replace it. `--help` loads this file and no command.

import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { Command } from 'commander'
import { withoutControlOrBidi } from '../domain/text.ts'

export const DONE = 0
export const FAILED = 1
/** Invalid usage. */
export const USAGE = 2

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Prints a line of the result. With --json nothing else goes to stdout. */
  out(line: string): void
  /** Prints a line to stderr: errors, progress. */
  err(line: string): void
  /** Width of the output; infinite if it is not a terminal. */
  readonly columns: number
  /** Redraws the current line of stderr, cut to its width; null if that is not a terminal. */
  readonly redraw: ((text: string) => void) | null
  /**
   * Waits until the reader of the output has consumed (nearly) all of it, or the command is interrupted. Absent if no
   * wait is needed.
   */
  readonly taken?: (ending: AbortSignal) => Promise<void>
  /** Calls back, at most once, when the user interrupts. Returns how to remove the listener. Absent: never. */
  readonly onInterrupt?: (stop: () => void) => () => void
  /**
   * From now on this process gives way to others, such as a server on the same machine. Absent: not a process of its
   * own.
   */
  readonly giveWay?: () => void
}

/**
 * Runs `use` with a signal that aborts when the user interrupts. `reason`: of the signal; default: an AbortError.
 */
export async function interruptible<Result>(
  { onInterrupt }: Pick<Terminal, 'onInterrupt'>,
  use: (ending: AbortController) => Promise<Result>,
  reason?: Error,
): Promise<Result> {
  const ending = new AbortController()
  const listenNoMore = onInterrupt?.(() => ending.abort(reason))
  try {
    return await use(ending)
  } finally {
    listenNoMore?.()
  }
}

export const USUAL_COLUMNS = 80
const LEAST_COLUMNS = 40
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const

export function terminalOf(host: NodeJS.Process): Terminal {
  const { stdout, stderr, env } = host
  return {
    env,
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    // What a program or a file gets is never cut.
    columns: stdout.isTTY ? widthOfTerminal(stdout) : Number.POSITIVE_INFINITY,
    redraw: stderr.isTTY
      ? (text) => void stderr.write(`\r\u001b[K${shortened(text, widthOfTerminal(stderr) - 1)}`)
      : null,
    taken: async (ending) => {
      // Writes to a pipe never block, so unread output would accumulate in memory.
      if (stdout.writableNeedDrain) await once(stdout, 'drain', { signal: ending }).catch(() => {})
    },
    onInterrupt: (stop) => {
      // Listen once: a second signal ends the process at once.
      for (const signal of INTERRUPTS) host.once(signal, stop)
      return () => {
        for (const signal of INTERRUPTS) host.off(signal, stop)
      }
    },
    giveWay,
  }
}

const widthOfTerminal = ({ columns = USUAL_COLUMNS }: { readonly columns?: number }): number =>
  Math.max(LEAST_COLUMNS, columns)

/** On Linux priorities belong to threads: new ones inherit theirs. */
function giveWay(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0]
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // The thread has ended, or the system does not permit it: the backup is made nevertheless.
    }
  }
}

/** Makes foreign text safe for one line: replaces characters that move the cursor or change the text direction. */
export function printable(text: string): string {
  return withoutControlOrBidi(text, '\ufffd')
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** Cuts a text to a display width, with an ellipsis. */
export function shortened(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let short = ''
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(short + segment) > columns - 1) break
    short += segment
  }
  return `${short}…`
}

/** Examples below a command's help. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  npx scorebook ${line}`).join('\n')}`)
}
