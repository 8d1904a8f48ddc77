// All commands in one program, and one run of it: arguments in, an exit code out.

import { Command, CommanderError, Option } from 'commander'
import { VERSION } from '../version.ts'
import type { Shell } from './command.ts'
import { addCommands, calledIn } from './commands.ts'
import { withExamples } from './examples.ts'
import { DONE, USAGE } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

const ENVIRONMENT = `
Environment: PORT and HOST say where the server is; DATA_DIR (./data) holds the
keys. A game's key is kept there when the game is made, and used by itself.
Exit codes: 0 done, 1 refused or failed, 2 called wrongly.`

/** Runs one command line (without `node` and the script) and answers the exit code. Never throws. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const shell: Shell = { program: newProgram(terminal), terminal, exitCode: DONE }
  try {
    await addCommands(shell, calledIn(args))
    await shell.program.parseAsync(args, { from: 'user' })
    return shell.exitCode
  } catch (failure) {
    // Commander has said what was wrong; help and version come this way too.
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? DONE : USAGE
    // Loaded where it is needed: it knows every problem and the whole configuration.
    const { tellFailure } = await import('./failure.ts')
    return tellFailure(failure, terminal, args.includes('--json'))
  }
}

function newProgram({ out, err, columns }: Terminal): Command {
  const program = new Command('scorebook')
    .description('An event-sourced game backend: leaderboards with exact decimals.')
    .version(VERSION)
    .option('--url <url>', 'the server; by default where one with this environment listens')
    .option('--key-file <file>', 'JSON with prefix and secret (or private_key)')
    .option('--game <id>', 'the game, where keys of several are kept here')
    .addOption(new Option('--json', 'answer as one line of JSON, for scripts'))
    .exitOverride()
    .showHelpAfterError('(--help shows what it takes)')
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true, helpWidth: columns, minWidthToWrap: 20 })
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err(text.trimEnd()),
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
    })
    .addHelpText('after', ENVIRONMENT)
  return withExamples(program, 'serve', 'demo', 'game create "My game"', 'board create "High scores"')
}
