// A server with the real clock in a folder of its own, and the command line, run in process with captured output.

import { mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { runCommandLine } from '../../cli/program.ts'
import type { Game, MadeKey } from '../../clients/javascript/shapes.ts'
import { readConfig } from '../../server/config.ts'
import { start } from '../../server/start.ts'

export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The parsed output of --json. */
  json<Shape>(): Shape
}

export type Env = Readonly<Record<string, string>>

/** Runs one command line and captures stdout and stderr. */
export async function command(env: Env, ...args: string[]): Promise<CommandResult> {
  const out: string[] = []
  const err: string[] = []
  const code = await runCommandLine(args, {
    env,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    columns: 80,
    redraw: null,
  })
  const text = out.join('\n')
  return { code, out: text, err: err.join('\n'), json: () => JSON.parse(text) }
}

/** The output of `game create --json`. */
export interface MadeGame {
  readonly game: Game
  readonly key: MadeKey
  readonly key_file: string
}

export interface Service {
  readonly env: Env
  readonly dataDir: string
  readonly url: string
  /** Runs a command line against this service. */
  run(...args: string[]): Promise<CommandResult>
  /** Runs with --json, expects success, and returns the parsed output. */
  json<Shape>(...args: string[]): Promise<Shape>
  stop(): Promise<void>
  /** Stops it and removes its folder. */
  close(): Promise<void>
}

const root = mkdtempSync(join(tmpdir(), 'scorebook-cli-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

/** Removed when the tests end. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(root, 'folder-'))
}

/**
 * Opens a service on a new folder or an existing one. `settings`: environment variables such as `RATE_LIMITS`. `now`:
 * instead of the clock.
 */
export async function openService(settings: Env = {}, now?: () => number): Promise<Service> {
  const dataDir = settings.DATA_DIR ?? (await newFolder())
  const config = readConfig({ RATE_LIMITS: 'off', ...settings, PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir })
  const running = await start(config, pino({ level: 'silent' }), now)
  const env = { ...settings, PORT: String(running.port), ADMIN_PORT: '0', DATA_DIR: dataDir }
  const run = (...args: string[]) => command(env, ...args)
  return {
    env,
    dataDir,
    url: `http://127.0.0.1:${running.port}`,
    run,
    json: async <Shape>(...args: string[]) => {
      const result = await run(...args, '--json')
      if (result.code !== 0) throw new Error(`${args.join(' ')} exited ${result.code}: ${result.err}`)
      return result.json<Shape>()
    },
    stop: () => running.stop(),
    close: async () => {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
