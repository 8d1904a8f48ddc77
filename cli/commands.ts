// All commands by name, each loaded when it is called: `--help` imports none of them. What a command says of itself here is what
// its own module says, which a test compares.

import { Command } from 'commander'
import type { Shell } from './command.ts'

interface ListedCommand {
  readonly name: string
  readonly description: string
  /** What the list of commands shows after the name. */
  readonly takes?: '[options]' | '[options] [leaderboard]'
  /** Imports its module, which adds it to the program. */
  load(): Promise<(shell: Shell) => void>
}

export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'serve',
    description: 'run the server, as npm start does',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'init',
    description: 'make the data folder, its secrets and the operator key, without serving',
    takes: '[options]',
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'demo',
    description: 'make a game with players, leaderboards of each kind, thousands of scores, files and rooms to look at',
    takes: '[options]',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  {
    name: 'game',
    description: 'games: made and listed by the operator, set by the tenant',
    load: async () => (await import('./game.ts')).gameCommands,
  },
  { name: 'key', description: 'API keys of a game', load: async () => (await import('./key.ts')).keyCommands },
  { name: 'board', description: 'leaderboards', load: async () => (await import('./board.ts')).boardCommands },
  {
    name: 'bucket',
    description: 'buckets of files, their folders and rules',
    load: async () => (await import('./bucket.ts')).bucketCommands,
  },
  { name: 'player', description: 'players of a game', load: async () => (await import('./player.ts')).playerCommands },
  {
    name: 'score',
    description: 'scores on a leaderboard',
    load: async () => (await import('./score.ts')).scoreCommands,
  },
  {
    name: 'history',
    description: 'what was recorded: read, followed, taken along',
    load: async () => (await import('./history.ts')).historyCommands,
  },
  {
    name: 'verify',
    description: 'rebuild all views from the log, beside the live ones, and compare them byte for byte',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  {
    name: 'rebuild',
    description: 'recompute a leaderboard from everything recorded, or whole views, beside what is shown meanwhile',
    takes: '[options] [leaderboard]',
    load: async () => (await import('./rebuild.ts')).rebuildCommand,
  },
  {
    name: 'rooms',
    description: 'the realtime rooms of a game',
    load: async () => (await import('./rooms.ts')).roomsCommands,
  },
  {
    name: 'doctor',
    description: 'look for what keeps a server from running well, and say how to fix it; exits 1 where something does',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'master-key',
    description: 'look after the key that all secrets are sealed under',
    load: async () => (await import('./master-key.ts')).masterKeyCommands,
  },
  {
    name: 'files',
    description: 'look after the bytes of files',
    load: async () => (await import('./files-check.ts')).filesCommands,
  },
]

/** Global options that are followed by a value. */
const WITH_VALUE = new Set(['--url', '--key-file', '--game'])

/** The name of the command that a command line calls, or asks help on; null where it names none. */
export function calledIn(args: readonly string[]): string | null {
  const names: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (WITH_VALUE.has(arg)) at++
    else if (!arg.startsWith('-')) names.push(arg)
  }
  return (names[0] === 'help' ? names[1] : names[0]) ?? null
}

/** Adds all commands to the program: the called one whole, the others for the list and for suggestions alone. */
export async function addCommands(shell: Shell, called: string | null): Promise<void> {
  for (const { name, description, takes, load } of COMMANDS) {
    if (name === called) {
      const add = await load()
      add(shell)
      continue
    }
    const listed = new Command(name).description(description)
    if (takes !== undefined) listed.option('--any')
    if (takes === '[options] [leaderboard]') listed.argument('[leaderboard]')
    shell.program.addCommand(listed)
  }
}
