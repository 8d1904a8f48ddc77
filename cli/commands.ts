// All commands by name. A command's module is imported only when the command is called: `--help` imports none of them.
// A test checks that each description here equals the one in the command's module.

import { Command } from 'commander'
import type { Shell } from './command.ts'

interface ListedCommand {
  readonly name: string
  readonly description: string
  /** Shown after the name in the list of commands. */
  readonly takes?: '[options]' | `[options] [${string}]`
  /** Imports the module of the command and adds the command to the program. */
  load(): Promise<(shell: Shell) => void>
}

export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'serve',
    description: 'run the server, like npm start',
    takes: '[options]',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'init',
    description: 'create the data folder, its secrets and the operator key, without starting the server',
    takes: '[options]',
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'demo',
    description: 'create a demo game: players, leaderboards of each kind, thousands of scores, files and rooms',
    takes: '[options]',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  {
    name: 'console',
    description: 'open the console in the browser, signed in',
    takes: '[options]',
    load: async () => (await import('./console.ts')).consoleCommand,
  },
  {
    name: 'game',
    description: 'create, list, show, change and delete games',
    load: async () => (await import('./game.ts')).gameCommands,
  },
  { name: 'key', description: 'API keys of a game', load: async () => (await import('./key.ts')).keyCommands },
  { name: 'board', description: 'leaderboards', load: async () => (await import('./board.ts')).boardCommands },
  {
    name: 'bucket',
    description: 'buckets, their files, folders and access rules',
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
    description: 'read, follow, export, verify, import and repair the event history',
    load: async () => (await import('./history.ts')).historyCommands,
  },
  {
    name: 'verify',
    description:
      'check the revisions of the log, rebuild all views from it and compare them with the live ones byte for byte',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  {
    name: 'rebuild',
    description: 'recompute a leaderboard or whole views from the event log while the old state is served',
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
    description: 'check everything a server needs and say how to fix each fault; exits with 1 on a fault',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'master-key',
    description: 'show and rotate the master key, which encrypts all secrets',
    load: async () => (await import('./master-key.ts')).masterKeyCommands,
  },
  {
    name: 'backup',
    description: 'back up the data folder while the server runs, list backups and verify them',
    takes: '[options] [destination]',
    load: async () => (await import('./backup.ts')).backupCommands,
  },
  {
    name: 'restore',
    description: 'make a new data folder from a backup, up to an instant or a position',
    takes: '[options]',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'files',
    description: 'check stored files, and adopt their store',
    load: async () => (await import('./files-check.ts')).filesCommands,
  },
]

const WITH_VALUE = new Set(['--url', '--key-file', '--game'])

/** The command that a command line calls or asks help for; null if it names none. */
export function calledIn(args: readonly string[]): string | null {
  const names: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (WITH_VALUE.has(arg)) at++
    else if (!arg.startsWith('-')) names.push(arg)
  }
  return (names[0] === 'help' ? names[1] : names[0]) ?? null
}

/**
 * Adds all commands: the called one in full, the others with name and description only (for the list and suggestions).
 */
export async function addCommands(shell: Shell, called: string | null): Promise<void> {
  for (const { name, description, takes, load } of COMMANDS) {
    if (name === called) {
      const add = await load()
      add(shell)
      continue
    }
    const listed = new Command(name).description(description)
    if (takes !== undefined) listed.option('--any')
    const [argument] = /\[(?!options)\w+\]/.exec(takes ?? '') ?? []
    if (argument !== undefined) listed.argument(argument)
    shell.program.addCommand(listed)
  }
}
