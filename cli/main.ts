#!/usr/bin/env node
// Entry point of the command line: passes arguments, environment and streams to the program.

// Traces name the sources of a bundle. Only files that are loaded from here on have their source maps read.
process.setSourceMapsEnabled(true)
const { runCommandLine } = await import('./program.ts')
const { terminalOf } = await import('./terminal.ts')

// A closed pipe (`| head`) is not an error.
process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
  process.exit(failure.code === 'EPIPE' ? 0 : 1)
})

process.exitCode = await runCommandLine(process.argv.slice(2), terminalOf(process))

export {}
