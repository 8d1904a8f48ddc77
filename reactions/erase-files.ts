// Makes the names of a deleted player's files and folders unreadable. It removes their files and then-empty folders,
// and records the path of folders that contain files of others without encryption. Only then it destroys the key that
// encrypts paths, so that the view of files can be rebuilt from the log at any time. It begins when requests that were
// under way at the deletion have ended: a folder made by one of them is then in the views too.

import { setTimeout } from 'node:timers/promises'
import { removeFolderCreator } from '../commands/folder.ts'
import { forgetPaths, forgetText } from '../commands/forget.ts'
import { isOfFiles } from '../domain/personal.ts'
import { filesBy, filesUnder, foldersBy, foldersUnder } from '../queries/files/clear.ts'
import type { FolderDocument } from '../queries/files/path-lookup.ts'
import { clearFilesOf, removeIfThere } from './clear-files.ts'
import { type EraseTextDeps, rewriteOlder } from './erase-text.ts'
import {
  type DeletedPlayer,
  onPlayerDeleted,
  ownContext,
  type Reaction,
  type ReactionDeps,
  type StoreReactionDeps,
} from './reaction.ts'
import { waitForAge } from './wait.ts'

const PAGE_SIZE = 200
/** Short, because a deletion leaves no text of the player in a file 10 s later. */
const REQUESTS_END_MS = 2_000

type EraseFilesDeps = ReactionDeps & EraseTextDeps & Pick<StoreReactionDeps, 'untilViewsCurrent'>

export function eraseFiles(deps: EraseFilesDeps): Reaction {
  const { commands, logErasure, purges } = deps
  return onPlayerDeleted('erase_files', async (gone, signal) => {
    await forgetText(commands, gone.player)
    if (!(await waitForAge(gone, deps.now, signal, REQUESTS_END_MS)) || !(await deps.untilViewsCurrent())) return
    await clearAll(deps, gone, signal)
    if (signal.aborted) return
    await forgetPaths(commands, gone.player)
    if (logErasure !== null) await rewriteOlder(logErasure, gone, isOfFiles, signal)
    purges.request()
  })
}

/** Pause in ms while the views do not yet show what this reaction or the file-clearing reaction removed. */
const RECHECK_MS = 100
/** After this many attempts the event is delivered again, and the failure is reported to the operator. */
const MAX_CHECKS = 600
/** Folders with contents of others that are not read again with each attempt; further ones are. */
const MAX_KEPT = 10_000

/**
 * Removes files and empty folders until the views show none. It repeats because another reaction clears files too, and
 * because a parent folder may become empty. Remaining folders contain files of others; they are kept without a creator.
 */
async function clearAll(deps: EraseFilesDeps, gone: DeletedPlayer, signal: AbortSignal): Promise<void> {
  const { commands, queries } = deps
  const { game, player } = gone
  const kept = new Set<string>()
  await clearFilesOf(deps, gone, signal)
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    let isLeft = (await filesBy(queries, player, 1)).length > 0
    for await (const folder of foldersOf(deps, player)) {
      if (kept.has(folder.id)) continue
      const content = await contentOf(deps, folder)
      if (content === null) {
        await remove(deps, game, folder)
        isLeft = true
      } else if (content.creator !== player && kept.size < MAX_KEPT) kept.add(folder.id)
    }
    if (!isLeft) break
    if (attempt === MAX_CHECKS) throw new Error('the views still show files or folders of a deleted player')
    await setTimeout(RECHECK_MS, undefined, { signal }).catch(() => {})
    await clearFilesOf(deps, gone, signal)
  }
  for await (const folder of foldersOf(deps, player)) {
    if (signal.aborted) return
    const { bucket, id, key, path } = folder
    // A folder created during the deletion, whose path is already unreadable, cannot keep it.
    if (path !== null)
      await removeFolderCreator(commands, { game, bucket, folder: id, key }, path, ownContext(deps.now()))
  }
}

/**
 * A file or folder in the folder; null if it is empty. By the documents of what it contains: its counts are another
 * document, and a projector that is killed between the two leaves them behind for a while. A folder that seems to
 * contain files of others would keep its path for ever.
 */
async function contentOf(
  { queries }: ReactionDeps,
  { id }: FolderDocument,
): Promise<{ readonly creator: string | null } | null> {
  const [file] = await filesUnder(queries, id, 1)
  if (file !== undefined) return file
  const [folder = null] = await foldersUnder(queries, id, 1)
  return folder
}

async function* foldersOf({ queries }: ReactionDeps, player: string): AsyncGenerator<FolderDocument> {
  for (let after: string | null = null; ; ) {
    const page = await foldersBy(queries, player, PAGE_SIZE, after)
    yield* page.map(({ folder }) => folder)
    after = page.at(-1)?.id ?? null
    if (page.length < PAGE_SIZE) return
  }
}

const remove = (deps: ReactionDeps, game: string, { bucket, id, key }: FolderDocument) =>
  removeIfThere(deps, { game, bucket, folder: id, key })
