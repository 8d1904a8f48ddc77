// How each command is put together: what it takes, what it does, what it answers, examples in its help. The answer is
// printed as lines for people, or with --json whole and as one line.

import type { Command } from 'commander'
import { type GlobalOptions, type Place, placeOf } from './place.ts'
import type { Terminal } from './terminal.ts'

export interface Answer {
  /** What --json prints. */
  readonly json: unknown
  readonly lines: readonly string[]
  /** Exit code, where the answer is bad news. Default 0. */
  readonly exitCode?: number
}

/** What a command works with; `Options` are its own, as commander parsed them. */
export interface Invoked<Options> {
  readonly terminal: Terminal
  readonly place: Place
  readonly options: Options & GlobalOptions
}

/** Where commands hang: the program, the terminal, and the exit code it ends with. */
export interface Shell {
  readonly program: Command
  readonly terminal: Terminal
  exitCode: number
}

/** Lets `command` run, and prints what it answers; null where it has said all by itself. */
export function does<Options extends object>(
  shell: Shell,
  command: Command,
  run: (invoked: Invoked<Options>, ...args: string[]) => Promise<Answer | null>,
): Command {
  const { terminal } = shell
  return command.action(async () => {
    const options = command.optsWithGlobals<Options & GlobalOptions>()
    const args = command.processedArgs as string[]
    const answer = await run({ terminal, options, place: placeOf(terminal, options) }, ...args)
    if (answer === null) return
    if (options.json === true) terminal.out(JSON.stringify(answer.json))
    else for (const line of answer.lines) terminal.out(line)
    shell.exitCode = answer.exitCode ?? 0
  })
}
