// The door of the local file store: the bytes of uploads come in and those of downloads go out by links, which say and
// prove all that is needed; no bearer token is looked at.

import { StoreAway } from '../../stores/contract/faults.ts'
import type { RawRoute } from '../pipeline/deps.ts'
import { deadLink, type FileDoorDeps } from './deps.ts'
import { get } from './get.ts'
import { createPieces } from './pieces.ts'
import { put } from './put.ts'

const PATH = '/api/files/local/:token/'

export function fileDoor(deps: FileDoorDeps): RawRoute[] {
  const running = new Set<string>()
  const pieces = createPieces()
  const game: RawRoute['game'] = async ({ token = '' }) => {
    const link = deps.files.linkOf(token, deps.now())
    if (link === null) return null
    return link.kind === 'put' ? deps.gameOfUpload(link.upload) : deps.gameOfBucket(link.offered.bucket)
  }
  return [
    {
      method: 'PUT',
      path: PATH,
      game,
      async handle(ctx) {
        const link = deps.files.linkOf(ctx.params.token ?? '', deps.now())
        if (link?.kind !== 'put') throw deadLink()
        return put(deps, running, link, ctx)
      },
    },
    {
      method: 'GET',
      path: PATH,
      game,
      async handle(ctx) {
        const link = deps.files.linkOf(ctx.params.token ?? '', deps.now())
        const blob = link?.kind === 'get' ? await deps.files.open(link.offered.blob) : null
        if (link?.kind !== 'get' || blob === null) throw deadLink()
        try {
          // Cut short by what became of the disk: part of a file is never answered as if it were all of it.
          if (blob.size !== link.offered.size) throw new StoreAway('A blob has not the size of its file')
          await get({ files: deps, pieces }, { offered: link.offered, blob }, ctx)
          return null
        } finally {
          await blob.close()
        }
      },
    },
  ]
}
