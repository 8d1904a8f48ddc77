#!/usr/bin/env node
// The command line's entry: hands the process's arguments, environment and streams to the program.

import { runCommandLine } from './program.ts'
import { terminalOf } from './terminal.ts'

// A reader who has seen enough (`| head`) is no fault.
process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
  process.exit(failure.code === 'EPIPE' ? 0 : 1)
})

process.exitCode = await runCommandLine(process.argv.slice(2), terminalOf(process))
