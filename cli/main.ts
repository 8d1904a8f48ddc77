#!/usr/bin/env node
// The command line: one program, one file per command.

import { Command } from 'commander'
import { VERSION } from '../version.ts'
import { serve } from './serve.ts'

const program = new Command('scorebook')
  .description('An event-sourced game backend: leaderboards with exact decimals.')
  .version(VERSION)

program
  .command('serve')
  .description('run the server (what npm start does)')
  .action(() => serve(process.env))

await program.parseAsync()
