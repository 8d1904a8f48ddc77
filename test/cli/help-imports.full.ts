// `scorebook --help` imports only the list of commands, which must agree with the commands themselves.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { Command } from 'commander'
import { addCommands, COMMANDS, calledIn } from '../../cli/commands.ts'
import { builtProgram, sourcesOf } from '../crash/build.ts'
import { command, newFolder } from './service.ts'

const run = promisify(execFile)
const COUNTER = fileURLToPath(new URL('imports-counted.mjs', import.meta.url))

/** What the built program imports for a command line: our sources by path, packages by name. */
async function importsOf(...args: string[]): Promise<string[]> {
  const program = builtProgram()
  const counted = join(await newFolder(), 'imports')
  const env = { ...process.env, COUNTED_IMPORTS: counted }
  await run(process.execPath, ['--import', pathToFileURL(COUNTER).href, program, ...args], { env })
  const paths = (await readFile(counted, 'utf8'))
    .trim()
    .split('\n')
    .map((url) => fileURLToPath(url))
  const inPackages = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*/
  return [...new Set(paths.flatMap((path) => inPackages.exec(path)?.[1] ?? sourcesOf(path)))].sort()
}

/** A line of the command list: name with arguments, and description. */
async function listed(called: string | null, name: string): Promise<string[]> {
  const program = new Command('scorebook')
  const terminal = { env: {}, out: () => {}, err: () => {}, columns: 80, redraw: null }
  await addCommands({ program, terminal, exitCode: 0 }, called)
  const found = program.commands.find((one) => one.name() === name)
  if (found === undefined) throw new Error(`there is no command ${name}`)
  const help = program.createHelp()
  return [help.subcommandTerm(found), help.subcommandDescription(found)]
}

describe('scorebook --help', () => {
  it('imports the list of commands and none of the commands', async function () {
    this.timeout(120_000)
    expect(await importsOf('--help')).to.deep.equal([
      'cli/commands.ts',
      'cli/main.ts',
      'cli/program.ts',
      'cli/terminal.ts',
      'commander',
      'domain/text.ts',
      'runtime/version.ts',
    ])
    expect(await importsOf('game', '--help'))
      .to.include('cli/game.ts')
      .and.not.include('cli/doctor.ts')
  })

  it('lists each command as the command describes itself', async () => {
    for (const { name } of COMMANDS) expect(await listed(null, name)).to.deep.equal(await listed(name, name))
  })

  it('finds the command behind global options and their values, and behind help', () => {
    expect(calledIn(['--url', 'demo', '--json', 'game', 'list'])).to.equal('game')
    expect(calledIn(['--game', 'score', 'help', 'board', 'create'])).to.equal('board')
    expect(calledIn(['--help'])).to.equal(null)
  })

  it('suggests a command for a misspelt one without importing any', async () => {
    const { code, err } = await command({}, 'gmae')
    expect(code).to.equal(2)
    expect(err).to.contain("unknown command 'gmae'").and.contain('Did you mean game?')
  })
})
