// The common frame of all commands: argument parsing, execution, and printing of the answer as lines or, with --json,
// as one JSON line.

import type { Command } from 'commander'
import { checkId } from './named-ids.ts'
import { type GlobalOptions, type Target, targetOf } from './target.ts'
import type { Terminal } from './terminal.ts'

export interface Answer {
  readonly json: unknown
  readonly lines: readonly string[]
  readonly exitCode?: number
}

/** Input of a command. `Options`: the command's own options, as commander parsed them. */
export interface Invoked<Options> {
  readonly terminal: Terminal
  readonly target: Target
  readonly options: Options & GlobalOptions
}

/** What all commands share: the program, the terminal, and the exit code. */
export interface Shell {
  readonly program: Command
  readonly terminal: Terminal
  exitCode: number
}

/** Sets the action of `command`, which prints its answer. Null: the command has printed everything itself. */
export function does<Options extends object>(
  shell: Shell,
  command: Command,
  run: (invoked: Invoked<Options>, ...args: string[]) => Promise<Answer | null>,
): Command {
  const { terminal } = shell
  return command.action(async () => {
    const options = command.optsWithGlobals<Options & GlobalOptions>()
    const args = command.processedArgs as string[]
    const target = targetOf(terminal, options)
    if (options.game !== undefined) checkId('game', options.game, target.invocation)
    for (const [at, argument] of command.registeredArguments.entries())
      if (args[at] !== undefined) checkId(argument.name(), args[at], target.invocation)
    const answer = await run({ terminal, options, target }, ...args)
    if (answer === null) return
    if (options.json === true) terminal.out(JSON.stringify(answer.json))
    else for (const line of answer.lines) terminal.out(line)
    shell.exitCode = answer.exitCode ?? 0
  })
}
