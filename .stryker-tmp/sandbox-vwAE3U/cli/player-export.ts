// `scorebook player export`: everything that is recorded about a player, for an access request of theirs.

import { existsSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Command } from 'commander'
import { whereFound } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './examples.ts'
import { CommandFault } from './failure.ts'
import { onThisDisk } from './local-files.ts'
import type { Terminal } from './terminal.ts'

export function playerExportCommand(shell: Shell, group: Command): void {
  const command = group
    .command('export')
    .argument('<player>', 'their id')
    .description('everything that is recorded about a player, as JSON: what an access request asks for')
    .option('--to <file>', 'write it to a new file that only you may read')
  withExamples(
    command,
    'player export abcd2345abcd2345abcd2345 --to player.json',
    'player export abcd2345abcd2345abcd2345',
  )
  does<{ to?: string }>(shell, command, async ({ terminal, place, options }, id): Promise<Answer | null> => {
    const ending = new AbortController()
    const listenNoMore = terminal.onInterrupt?.(() => ending.abort())
    try {
      const pieces = await whereFound(place, ({ client, game }) => client.exportPlayer(game, id, ending.signal))
      if (options.to === undefined) {
        await print(terminal, pieces, ending.signal)
        return null
      }
      await save(options.to, pieces)
      return {
        json: { player: id, file: options.to },
        lines: [`All that is recorded about ${id} is in ${options.to}.`],
      }
    } catch (failure) {
      if (ending.signal.aborted) throw new CommandFault('Stopped: what was written is not all of it.')
      throw failure
    } finally {
      listenNoMore?.()
    }
  })
}

async function print(terminal: Terminal, pieces: AsyncIterable<string>, ending: AbortSignal): Promise<void> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) terminal.out(line)
    await terminal.taken?.(ending)
  }
  if (rest !== '') terminal.out(rest)
}

/** A new file, readable by this user alone. It is removed where the answer is cut short. */
async function save(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const file: FileHandle = await onThisDisk(path, () => open(path, 'wx', 0o600)).catch((failure: unknown) => {
    if (!existsSync(path)) throw failure
    throw new CommandFault(`${path} exists already. Name a file that does not exist yet with --to.`)
  })
  try {
    for await (const piece of pieces) await onThisDisk(path, () => file.write(piece))
    await onThisDisk(path, () => file.sync())
  } catch (failure) {
    await rm(path, { force: true })
    throw failure
  } finally {
    await file.close()
  }
}
