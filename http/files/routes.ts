// Routes for the bytes of the local file store. A signed link carries all the authorization that a transfer needs;
// bearer tokens are ignored.

import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { RawRoute } from '../pipeline/router.ts'
import { invalidLink, type LocalFileDeps } from './deps.ts'
import { createDownloadBuffers } from './download-buffers.ts'
import { receiveUpload } from './receive-upload.ts'
import { serveDownload } from './serve-download.ts'

const PATH = '/api/files/local/:token/'

export function localFileRoutes(deps: LocalFileDeps): RawRoute[] {
  const buffers = createDownloadBuffers()
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
        if (link?.kind !== 'put') throw invalidLink()
        return receiveUpload(deps, link, ctx)
      },
    },
    {
      method: 'GET',
      path: PATH,
      game,
      async handle(ctx) {
        const link = deps.files.linkOf(ctx.params.token ?? '', deps.now())
        const blob = link?.kind === 'get' ? await deps.files.open(link.offered.blob) : null
        if (link?.kind !== 'get' || blob === null) throw invalidLink()
        try {
          // A damaged disk may have truncated the file: never answer part of it as the whole.
          if (blob.size !== link.offered.size) throw new StoreUnavailable('A blob has not the size of its file')
          await serveDownload({ files: deps, buffers }, { offered: link.offered, blob }, ctx)
          return null
        } finally {
          await blob.close()
        }
      },
    },
  ]
}
