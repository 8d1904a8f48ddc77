// Runs a command line: takes arguments, returns an exit code.

import { Command, CommanderError, Option } from 'commander'
import { VERSION } from '../runtime/version.ts'
import type { Shell } from './command.ts'
import { addCommands, calledIn } from './commands.ts'
import { DONE, type Terminal, USAGE, USUAL_COLUMNS, withExamples } from './terminal.ts'

const ENVIRONMENT = `
Environment: PORT and HOST say where the server is; DATA_DIR (./data) holds the
keys. 'game create' saves the game's key there, and later commands use it.
Exit codes: 0 done, 1 refused or failed, 2 called wrongly, 3 some rows of an
import refused.`

/** Runs one command line (without `node` and the script) and returns the exit code. Never throws. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const shell: Shell = { program: newProgram(terminal), terminal, exitCode: DONE }
  try {
    await addCommands(shell, calledIn(args))
    await shell.program.parseAsync(args, { from: 'user' })
    return shell.exitCode
  } catch (failure) {
    // Commander has already printed the error. Help and version also end here.
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? DONE : USAGE
    // Imported on demand, because it imports all problems and the configuration.
    const { tellFailure } = await import('./failure.ts')
    return tellFailure(failure, terminal, args.includes('--json'))
  }
}

function newProgram({ out, err, columns: fit }: Terminal): Command {
  const columns = Number.isFinite(fit) ? fit : USUAL_COLUMNS
  const program = new Command('scorebook')
    .description('An event-sourced game backend: leaderboards with exact decimals.')
    .version(VERSION)
    .option('--url <url>', 'the server; default: the address where a server with this environment listens')
    .option('--key-file <file>', 'JSON with prefix and secret (or private_key)')
    .option('--game <id>', 'the game, if keys of several games are saved here')
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
