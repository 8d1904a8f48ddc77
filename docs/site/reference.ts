// Writes the generated pages of the reference, docs/reference/{cli,configuration,events}.md, from the program.

import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { COMMANDS } from '../../cli/commands.ts'
import { runCommandLine } from '../../cli/program.ts'
import { VARIABLES } from '../../server/config.ts'
import { commandLinePage, configurationPage, eventsPage, type Help } from './reference-pages.ts'

const FOLDER = fileURLToPath(new URL('../reference/', import.meta.url))

async function helpOf(path: readonly string[]): Promise<string> {
  const out: string[] = []
  const put = (line: string) => void out.push(line)
  await runCommandLine([...path, '--help'], { env: {}, out: put, err: put, columns: 100, redraw: null })
  return out.join('\n')
}

/** The names of a command's own commands. */
async function commandsBelow(load: (typeof COMMANDS)[number]['load'], name: string): Promise<string[]> {
  const program = new Command()
  const terminal = { env: {}, out: () => {}, err: () => {}, columns: 100, redraw: null }
  const add = await load()
  add({ program, terminal, exitCode: 0 })
  const found = program.commands.find((command) => command.name() === name)
  return found?.commands.map((command) => command.name()) ?? []
}

async function allHelp(): Promise<Help[]> {
  const all: Help[] = []
  for (const { name, load } of COMMANDS) {
    const paths = [[name], ...(await commandsBelow(load, name)).map((below) => [name, below])]
    for (const path of paths) all.push({ path, text: await helpOf(path) })
  }
  return all
}

mkdirSync(FOLDER, { recursive: true })
const write = (name: string, text: string) => writeFileSync(`${FOLDER}${name}`, text)
write('cli.md', commandLinePage(await helpOf([]), await allHelp()))
write('configuration.md', configurationPage(await helpOf(['serve']), VARIABLES))
write('events.md', eventsPage())
