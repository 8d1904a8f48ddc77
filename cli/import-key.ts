// The file beside an imported file that names the API key of the import, so that a run with another key is noticed. The
// server recognizes a repeated row only with the same API key.

import { readFile, rm } from 'node:fs/promises'
import { writePrivately } from '../stores/embedded/data-folder.ts'
import { CommandFault } from './failure.ts'
import { quoted } from './target.ts'
import { printable } from './terminal.ts'

interface Import {
  /** Path of the imported file. */
  readonly path: string
  /** Id of the leaderboard. */
  readonly board: string
  /** Prefix of the API key. */
  readonly prefix: string
}

export class ImportKey {
  /** Prefix of the key with which an earlier run imported the file to the leaderboard; null: this is the first run. */
  readonly earlier: string | null
  readonly #path: string
  readonly #prefix: string
  #isTried = false
  #isSaved = false

  private constructor(path: string, prefix: string, earlier: string | null) {
    this.#path = path
    this.#prefix = prefix
    this.earlier = earlier
  }

  /** Throws CommandFault if the file of an earlier run cannot be read. */
  static async of({ path, board, prefix }: Import): Promise<ImportKey> {
    const own = `${path}.${board}.import.json`
    return new ImportKey(own, prefix, await prefixIn(own))
  }

  /** Must be called before rows are sent. Only the first call writes, and it rejects if it cannot. */
  async save(): Promise<void> {
    if (this.#isTried || this.earlier === this.#prefix) return
    this.#isTried = true
    await writePrivately(this.#path, { prefix: this.#prefix })
    this.#isSaved = true
  }

  /** Undoes `save`, of a run that recorded no row. */
  async restore(): Promise<void> {
    if (!this.#isSaved) return
    if (this.earlier === null) await rm(this.#path)
    else await writePrivately(this.#path, { prefix: this.earlier })
  }
}

/** Null if there is no such file. */
async function prefixIn(path: string): Promise<string | null> {
  try {
    const { prefix } = JSON.parse(await readFile(path, 'utf8'))
    return printable(String(prefix))
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CommandFault(
      `${quoted(path)}, which names the API key of an earlier import, cannot be read: ${(failure as Error).message}. ` +
        'Make it readable, or remove it if this is the API key of that import.',
    )
  }
}
