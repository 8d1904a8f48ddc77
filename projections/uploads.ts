// The view of uploads that have reserved space and are not settled, by expiry time.

import type { StoredEvent } from '../domain/event.ts'
import { idIn } from '../domain/streams.ts'
import type { Projection } from './projection.ts'

export const uploads: Projection = {
  name: 'uploads',
  version: 1,
  collections: [{ name: 'uploads', indexes: { expires: ['expires'] } }],
  takes: ['UploadBegun', 'UploadSettled', 'UploadReleased'],
  needs: (event) => [['uploads', uploadOf(event)]],
  handle(event, docs) {
    const id = uploadOf(event)
    if (event.type !== 'UploadBegun') return docs.remove('uploads', id)
    const { expires = null } = event.data
    docs.put('uploads', id, { id, bucket: idIn(event.stream), game: event.meta.game, expires })
  },
}

const uploadOf = ({ data }: StoredEvent): string => String(data.upload)
