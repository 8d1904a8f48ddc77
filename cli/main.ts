#!/usr/bin/env node
// Entry point of the command line: passes arguments, environment and streams to the program.

import { runCommandLine } from './program.ts'
import { terminalOf } from './terminal.ts'

// A closed pipe (`| head`) is not an error.
process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
  process.exit(failure.code === 'EPIPE' ? 0 : 1)
})

process.exitCode = await runCommandLine(process.argv.slice(2), terminalOf(process))
