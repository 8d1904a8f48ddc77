// Documents in memory that other processes may change. A document is answered only if the stamp of its view and
// partition is the one with which it was read, so it includes every event up to the view's checkpoint. Many documents
// share one stamp, which is one small read for all requests of the same time.

import { partitionOf } from '../../domain/partition.ts'
import { lruOfSize } from '../../runtime/lru.ts'
import type { Document, Freshness, Views } from '../contract/views.ts'
import type { ViewProgress } from './view-progress.ts'

/** Maximum characters of all documents in memory, with this many for each besides its text. */
const KEPT_CHARACTERS = 8 * 1024 * 1024
const DOCUMENT_CHARACTERS = 300

interface Kept {
  readonly document: Document
  readonly partition: number
  /** Null if it was not known when the document was read. */
  readonly stamp: string | null
}

type Read = (view: string, collection: string, id: string) => Promise<Document | null>

/**
 * `Views.current`. `read` reads a document as it is stored. Missing documents are not kept: a new document changes no
 * stamp.
 */
export function createCurrentDocuments(progress: ViewProgress, read: Read): Views['current'] {
  const kept = lruOfSize<string, Kept>(
    KEPT_CHARACTERS,
    ({ document }, key) => DOCUMENT_CHARACTERS + key.length + JSON.stringify(document.body).length,
  )

  const isKnown = (view: string, { partition, stamp }: Kept) =>
    stamp !== null && progress.known(view, partition) === stamp

  async function currentOne(
    view: string,
    collection: string,
    id: string,
    freshness: Freshness,
  ): Promise<Document | null> {
    const key = `${view}/${collection}/${id}`
    const known = kept.get(key)
    if (known === undefined) {
      const began = progress.now()
      const document = await read(view, collection, id)
      if (document === null) return null
      const partition = partitionIn(document)
      // The stamp of a later read may already count a change that this document lacks.
      const isUnchanged = progress.isUnchangedSince(view, partition, began)
      kept.set(key, { document, partition, stamp: isUnchanged ? progress.known(view, partition) : null })
      return document
    }
    if (freshness === 'waited' && isKnown(view, known)) return known.document
    const { stamp } = await progress.read(view, known.partition)
    if (stamp !== null && stamp === known.stamp) return known.document
    const document = await read(view, collection, id)
    if (document === null) kept.delete(key)
    else {
      const partition = partitionIn(document)
      kept.set(key, { document, partition, stamp: partition === known.partition ? stamp : null })
    }
    return document
  }

  return (view, collection, ids, freshness) => Promise.all(ids.map((id) => currentOne(view, collection, id, freshness)))
}

const partitionIn = ({ body }: Document): number => partitionOf(typeof body.game === 'string' ? body.game : null)
