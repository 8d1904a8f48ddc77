// The contents of a folder by name, as far as its rules show them to the caller.

import { unsafeCast } from '../../domain/event.ts'
import { admits, filesShown, type Visitor } from '../../domain/folder-rules.ts'
import { type LRUCache, lruOfSize } from '../../runtime/lru.ts'
import type { Document, Find, IndexCursor, Views } from '../../stores/contract/views.ts'
import type { Page, Paging, QueryDeps } from '../deps.ts'
import { viewReached } from '../reached.ts'
import { type Heavy, unqueued } from '../work-queue.ts'
import type { FileDocument, FolderDocument } from './path-lookup.ts'

export interface Listed {
  /** Null if the visitor may not see the list. */
  readonly folders: Page<FolderDocument> | null
  readonly files: Page<FileDocument> | null
}

/**
 * O(limit) if the folder has not changed since it was last listed up to there, else O(offset + limit), queued and in
 * time slices. If only the visitor's own files are shown, they are skipped and counted one by one.
 */
export async function listFolder(
  deps: Pick<QueryDeps, 'views' | 'viewKey'>,
  { folder, visitor }: { readonly folder: FolderDocument; readonly visitor: Visitor },
  { limit, offset }: Paging,
  walk: Walk,
): Promise<Listed> {
  const view = deps.viewKey('files')
  const named = async (collection: 'files' | 'folders') => {
    const start = await startAt(deps, folder, { collection, offset }, walk)
    return deps.views.find({ view, collection, index: 'name', equal: [folder.id], ...start, limit })
  }
  const own = { view, collection: 'files', index: 'own', equal: [folder.id, visitor.player ?? ''] }
  const shown = filesShown(folder, visitor)
  const seesFolders = admits(folder.rules.list_folders, visitor, folder.creator)
  const ofFiles = async () => {
    if (shown === null) return null
    return shown === 'own' ? deps.views.find({ ...own, skip: offset, limit }) : named('files')
  }
  const [folders, files, ownFiles] = await Promise.all([
    seesFolders ? named('folders') : null,
    ofFiles(),
    shown === 'own' ? deps.views.count({ ...own, limit: Number.MAX_SAFE_INTEGER }) : 0,
  ])
  return {
    folders: folders && { rows: bodiesOf<FolderDocument>(folders), count: folder.folders },
    files: files && { rows: bodiesOf<FileDocument>(files), count: shown === 'own' ? ownFiles : folder.files },
  }
}

const bodiesOf = <Body>(documents: readonly Document[]): Body[] => documents.map(({ body }) => unsafeCast<Body>(body))

// Caches where a folder list begins at an offset: the index cursor of every hundredth file or folder. An entry is valid
// as long as the folder's document is unchanged; that document counts the folder's contents, so it changes with them.

/** Entries between two cached cursors. */
const STEP = 100
/** Cached cursors in total: those of five million files, less than 20 MB. */
const MAX_CACHED_CURSORS = 50_000

interface CachedCursors {
  /** Position of the last event in the folder's document. */
  readonly at: string
  /** `cursors[i]`: the cursor of the entry with (i + 1) * STEP - 1 entries before it. */
  readonly cursors: readonly IndexCursor[]
}

const cacheOf = new WeakMap<Views, LRUCache<string, CachedCursors>>()

function cacheIn(views: Views): LRUCache<string, CachedCursors> {
  const found = cacheOf.get(views)
  if (found !== undefined) return found
  const made = lruOfSize<string, CachedCursors>(MAX_CACHED_CURSORS, ({ cursors }) => cursors.length + 1)
  cacheOf.set(views, made)
  return made
}

interface Walk {
  readonly game: string
  /** Runs a walk to an offset that is not cached. */
  readonly heavy?: Heavy
}

type Start = Pick<Find, 'behind' | 'skip'>

/**
 * Returns where a list of a folder's `collection` begins at an offset, in its index `name`. O(STEP) if the folder has
 * not changed since it was last listed up to there; else O(offset), in time slices.
 */
async function startAt(
  deps: Pick<QueryDeps, 'views' | 'viewKey'>,
  folder: FolderDocument,
  target: { readonly collection: 'files' | 'folders'; readonly offset: number },
  { game, heavy = unqueued }: Walk,
): Promise<Start> {
  const { collection, offset } = target
  const wanted = Math.floor(offset / STEP)
  if (wanted === 0) return { skip: offset }
  const view = deps.viewKey('files')
  const cache = cacheIn(deps.views)
  const key = `${view} ${collection} ${folder.id}`
  // Beyond this position, the documents of an event may be written only in part.
  const reached = await viewReached(deps.views, view, game)
  const at = await changedAt(deps.views, view, folder)
  const cached = cache.get(key)
  const cursors = cached !== undefined && cached.at === at ? [...cached.cursors] : []
  if (cursors.length < wanted) {
    await heavy(async (slices) => {
      while (cursors.length < wanted) {
        const cursor = await nextCursor(
          deps.views,
          { view, collection, index: 'name', equal: [folder.id] },
          cursors.at(-1),
        )
        if (cursor === null) break
        cursors.push(cursor)
        await slices.yieldIfDue()
      }
    })
    const isWhole = at !== null && reached !== null && reached >= at
    if (isWhole && (await changedAt(deps.views, view, folder)) === at) cache.set(key, { at, cursors })
  }
  const passed = Math.min(wanted, cursors.length)
  const behind = cursors[passed - 1]
  return { ...(behind !== undefined && { behind }), skip: offset - passed * STEP }
}

async function changedAt(views: Views, view: string, { bucket, key }: FolderDocument): Promise<string | null> {
  const [document = null] = await views.get(view, 'folders', [`${bucket}.${key}`])
  return document?.pos ?? null
}

async function nextCursor(
  views: Views,
  find: Pick<Find, 'view' | 'collection' | 'index' | 'equal'>,
  behind: IndexCursor | undefined,
): Promise<IndexCursor | null> {
  const from = behind === undefined ? {} : { behind }
  const [document] = await views.find({ ...find, ...from, skip: STEP - 1, limit: 1 })
  return document === undefined ? null : cursorOf(document)
}

const cursorOf = ({ id, body }: Document): IndexCursor => ({ fields: [String(body.sort)], id })
