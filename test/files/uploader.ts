// A tenant that uploads to a server process, one file at a time. Each step returns its status, or null without an
// answer.

import { randomBytes } from 'node:crypto'
import type { ProcessWorld } from '../crash/process-world.ts'
import { type MadeGame, makeBucket, makeGame } from '../front-door/game-fixtures.ts'
import type { Answered } from '../front-door/http-client.ts'
import { must } from '../front-door/world.ts'

export interface NewUpload {
  readonly path: string
  readonly bytes: Buffer
  readonly upload: string
  /** The path of its link. */
  readonly link: string
}

export interface Uploader {
  readonly bucket: string
  begin(path: string, size: number): Promise<NewUpload>
  put(newUpload: NewUpload): Promise<Answered | null>
  complete(newUpload: NewUpload): Promise<Answered | null>
  /** What is wrong with the file, which may be complete or absent. `mayBeAbsent` is false once it was acknowledged. */
  faultsOf(newUpload: NewUpload, mayBeAbsent: boolean): Promise<string[]>
  isThere(newUpload: NewUpload): Promise<boolean>
  /** The path of a download link. */
  link(newUpload: NewUpload): Promise<string>
  /** Bytes that count as downloaded this month. */
  downloaded(): Promise<number>
}

export async function openUploader(world: ProcessWorld): Promise<Uploader> {
  const game: MadeGame = await makeGame(world)
  const bucket = await makeBucket(world, game)
  const { token } = game
  const limits = { max_bytes: 2 ** 40, max_file_bytes: 2 ** 30, max_files: 1_000_000, monthly_download_bytes: 2 ** 40 }
  must(await world.call('PUT', `/api/bkt/${bucket}/`, { token, body: limits }), 200)
  const unanswered = (error: unknown): null => {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
  const at = (what: string, { path }: NewUpload) => `/api/bkt/${bucket}/${what}/?path=${encodeURIComponent(path)}`
  const uploader: Uploader = {
    bucket,
    async begin(path, size) {
      const bytes = randomBytes(size)
      const sent = { token, body: { path, size } }
      const { upload_id: upload, url } = must(await world.call('POST', `/api/bkt/${bucket}/upload/`, sent), 201)
      return { path, bytes, upload, link: new URL(url).pathname }
    },
    put: ({ link, bytes }) => {
      const headers = { 'content-type': 'application/octet-stream' }
      return world.call('PUT', link, { raw: bytes, headers }).catch(unanswered)
    },
    complete: ({ upload }) =>
      world.call('POST', `/api/bkt/${bucket}/upload/${upload}/complete/`, { token }).catch(unanswered),
    async isThere(newUpload) {
      return (await world.call('GET', at('file', newUpload), { token })).status === 200
    },
    async link(newUpload) {
      return new URL(must(await world.call('GET', at('download', newUpload), { token }), 200).url).pathname
    },
    async downloaded() {
      return must(await world.call('GET', `/api/bkt/${bucket}/`, { token }), 200).downloaded_this_month
    },
    async faultsOf(newUpload, mayBeAbsent) {
      const { path, bytes } = newUpload
      const { status, body } = await world.call('GET', at('download', newUpload), { token })
      if (status === 404) return mayBeAbsent ? [] : [`${path} was said to be there and is absent`]
      if (status !== 200) return [`${path}: its download answers ${status}`]
      const answer = await fetch(`http://127.0.0.1:${world.port}${new URL(body.url).pathname}`)
      const came = Buffer.from(await answer.arrayBuffer())
      return came.equals(bytes)
        ? []
        : [`${path}: ${answer.status}, ${came.length} bytes of ${bytes.length} came, or others`]
    },
  }
  return uploader
}
