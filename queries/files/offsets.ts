// Where a list of a folder begins at an offset, without walking there each time: the places of every hundredth file, or folder,
// kept as long as nothing comes to the folder or leaves it. Its document says so: it counts what is in the folder, so it changes with it.

import { LRUCache } from 'lru-cache'
import type { Document, Find, IndexPlace, Views } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import { viewReached } from '../reached.ts'
import { type Heavy, unqueued } from '../work-queue.ts'
import type { FolderDocument } from './place.ts'

/** From one known place to the next. */
const STEP = 100
/** Places kept in all: those of five million files, less than 20 MB. */
const MAX_PLACES = 50_000

interface Known {
  /** Position of the last event in the folder's document. */
  readonly at: string
  /** `places[i]`: of the entry with (i + 1) * STEP - 1 before it. */
  readonly places: readonly IndexPlace[]
}

const knownOf = new WeakMap<Views, LRUCache<string, Known>>()

function knownIn(views: Views): LRUCache<string, Known> {
  const found = knownOf.get(views)
  if (found !== undefined) return found
  const made = new LRUCache<string, Known>({ maxSize: MAX_PLACES, sizeCalculation: ({ places }) => places.length + 1 })
  knownOf.set(views, made)
  return made
}

export interface Walk {
  readonly game: string
  /** Runs a walk to an offset that is not known yet. */
  readonly heavy?: Heavy
}

type Start = Pick<Find, 'behind' | 'skip'>

/**
 * Where a list of a folder's `collection` begins at an offset, by its index `name`. O(STEP) where nothing changed since the folder was
 * last listed as far; else O(offset), in slices.
 */
export async function startAt(
  deps: Pick<QueryDeps, 'views' | 'viewKey'>,
  folder: FolderDocument,
  asked: { readonly collection: 'files' | 'folders'; readonly offset: number },
  { game, heavy = unqueued }: Walk,
): Promise<Start> {
  const { collection, offset } = asked
  const wanted = Math.floor(offset / STEP)
  if (wanted === 0) return { skip: offset }
  const view = deps.viewKey('files')
  const known = knownIn(deps.views)
  const key = `${view} ${collection} ${folder.id}`
  // Beyond what the view has reached, some of an event's documents may be there and others not.
  const reached = await viewReached(deps.views, view, game)
  const at = await changedAt(deps.views, view, folder)
  const kept = known.get(key)
  const places = kept !== undefined && kept.at === at ? [...kept.places] : []
  if (places.length < wanted) {
    await heavy(async (slices) => {
      while (places.length < wanted) {
        const place = await nextPlace(
          deps.views,
          { view, collection, index: 'name', equal: [folder.id] },
          places.at(-1),
        )
        if (place === null) break
        places.push(place)
        await slices.yieldIfDue()
      }
    })
    const isWhole = at !== null && reached !== null && reached >= at
    if (isWhole && (await changedAt(deps.views, view, folder)) === at) known.set(key, { at, places })
  }
  const passed = Math.min(wanted, places.length)
  const behind = places[passed - 1]
  return { ...(behind !== undefined && { behind }), skip: offset - passed * STEP }
}

async function changedAt(views: Views, view: string, { bucket, key }: FolderDocument): Promise<string | null> {
  const [document = null] = await views.get(view, 'folders', [`${bucket}.${key}`])
  return document?.pos ?? null
}

async function nextPlace(
  views: Views,
  find: Pick<Find, 'view' | 'collection' | 'index' | 'equal'>,
  behind: IndexPlace | undefined,
): Promise<IndexPlace | null> {
  const from = behind === undefined ? {} : { behind }
  const [document] = await views.find({ ...find, ...from, skip: STEP - 1, limit: 1 })
  return document === undefined ? null : placeOf(document)
}

const placeOf = ({ id, body }: Document): IndexPlace => ({ fields: [String(body.sort)], id })
