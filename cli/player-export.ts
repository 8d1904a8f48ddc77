// `scorebook player export`: exports everything recorded about a player, for an access request.

import { existsSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Command } from 'commander'
import { tryEachGame } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './examples.ts'
import { CommandFault } from './failure.ts'
import { onThisDisk } from './local-files.ts'
import type { Terminal } from './terminal.ts'

export function playerExportCommand(shell: Shell, group: Command): void {
  const command = group
    .command('export')
    .argument('<player>', 'their id')
    .description('print everything that is recorded about a player as JSON, for an access request')
    .option('--to <file>', 'write it to a new file that only you may read')
  withExamples(
    command,
    'player export abcd2345abcd2345abcd2345 --to player.json',
    'player export abcd2345abcd2345abcd2345',
  )
  does<{ to?: string }>(shell, command, async ({ terminal, target, options }, id): Promise<Answer | null> => {
    const ending = new AbortController()
    const listenNoMore = terminal.onInterrupt?.(() => ending.abort())
    try {
      const chunks = await tryEachGame(target, ({ client, game }) => client.exportPlayer(game, id, ending.signal))
      if (options.to === undefined) {
        await print(terminal, chunks, ending.signal)
        return null
      }
      await save(options.to, chunks)
      return {
        json: { player: id, file: options.to },
        lines: [`All that is recorded about ${id} is in ${options.to}.`],
      }
    } catch (failure) {
      if (ending.signal.aborted) throw new CommandFault('Stopped. The output is incomplete.')
      throw failure
    } finally {
      listenNoMore?.()
    }
  })
}

async function print(terminal: Terminal, chunks: AsyncIterable<string>, ending: AbortSignal): Promise<void> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) terminal.out(line)
    await terminal.taken?.(ending)
  }
  if (rest !== '') terminal.out(rest)
}

/** Writes a new private file, and removes it if the answer is cut. */
async function save(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const file: FileHandle = await onThisDisk(path, () => open(path, 'wx', 0o600)).catch((failure: unknown) => {
    if (!existsSync(path)) throw failure
    throw new CommandFault(`${path} exists already. Name a file that does not exist yet with --to.`)
  })
  try {
    for await (const chunk of chunks) await onThisDisk(path, () => file.write(chunk))
    await onThisDisk(path, () => file.sync())
  } catch (failure) {
    await rm(path, { force: true })
    throw failure
  } finally {
    await file.close()
  }
}
