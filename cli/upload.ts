// `scorebook bucket upload`: uploads a file or a folder. Skips files that exist with the same bytes, so running it
// again finishes an interrupted upload.

import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Client, ProblemError } from '../clients/javascript/connect.ts'
import type { StoredFile } from '../clients/javascript/file-shapes.ts'
import type { Answer } from './command.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { type LocalFile, onThisDisk, sendLocal, sha256Of, walk } from './local-files.ts'
import type { Target } from './target.ts'
import { printable, type Terminal } from './terminal.ts'
import { inTheWay, type Moved, mapFew, moveAll, movedAnswer, type Remote, remoteOf, whoHas } from './transfer.ts'

export interface UploadOptions {
  readonly recursive?: boolean
  readonly force?: boolean
  readonly contentType?: string
}

interface Job extends Moved {
  readonly sha256: string
  readonly contentType: string
}

interface Plan {
  readonly files: readonly (LocalFile & { readonly path: string })[]
  readonly folders: readonly string[]
}

export async function upload(
  { terminal, target }: { readonly terminal: Terminal; readonly target: Target },
  local: string,
  remotePath: string,
  options: UploadOptions,
): Promise<Answer> {
  const remote = remoteOf(remotePath)
  const { files, folders } = await planned(terminal, local, remote, options)
  const client = await whoHas(target, remote.bucket)
  const jobs: Job[] = []
  for (const { local: from, path, size } of files) {
    const sha256 = await sha256Of(from)
    jobs.push({ local: from, path, size, sha256, contentType: options.contentType ?? typeOf(path) })
  }
  const there = await mapFew(jobs, ({ path }) => fileThere(client, remote.bucket, path))
  const isSame = ({ size, sha256 }: Job, i: number) => there[i]?.sha256 === sha256 && there[i]?.size === size
  const unchanged = jobs.filter(isSame)
  const wanted = jobs.filter((job, i) => !isSame(job, i))
  const blocked = jobs.filter((job, i) => there[i] !== null && !isSame(job, i)).map(({ path }) => path)
  if (blocked.length > 0 && options.force !== true) throw inTheWay(blocked)
  for (const folder of folders) await makeFolder(client, remote.bucket, folder)
  const moved = await moveAll<Job>({
    terminal,
    label: 'Uploading',
    jobs: wanted,
    bytesOf: ({ size }) => size,
    run: async (job, onBytes, how) => {
      const { path, size, sha256, contentType } = job
      let sent = 0
      const stored = await client.sendFile(
        remote.bucket,
        { path, size, sha256, content_type: contentType },
        (link, signal) => {
          // The upload restarts at the first byte.
          if (sent > 0) onBytes(-sent)
          sent = 0
          const more = (bytes: number) => {
            sent += bytes
            onBytes(bytes)
          }
          return sendLocal(job, link, more, signal)
        },
        how,
      )
      return { path: stored.path, local: job.local, size, sha256 }
    },
  }).catch((error: unknown) => {
    throw changed(error)
  })
  return movedAnswer('Uploaded', moved, unchanged.map(plain), ({ local: from, path }) => `${from} to ${path}`)
}

const plain = ({ path, local, size, sha256 }: Moved): Moved => ({ path, local, size, sha256 })

async function planned(terminal: Terminal, local: string, { path }: Remote, options: UploadOptions): Promise<Plan> {
  const facts = await onThisDisk(local, () => stat(local))
  if (facts.isFile()) {
    const to = path.endsWith('/') ? `${path}${basename(local)}` : path
    return { files: [{ local, below: basename(local), size: facts.size, path: to }], folders: [] }
  }
  if (!facts.isDirectory()) throw new UsageFault(`${printable(local)} is neither a file nor a folder.`)
  if (options.recursive !== true) throw new UsageFault(`${printable(local)} is a folder: upload it with --recursive.`)
  if (!path.endsWith('/')) throw new UsageFault(`A folder is uploaded into a folder: end ${printable(path)} with /.`)
  const { files, folders, passedOver } = await walk(local)
  for (const one of passedOver) terminal.err(`Skipped, because it is neither a file nor a folder: ${printable(one)}`)
  const made = [...foldersTo(path), ...folders.map((folder) => `${path}${folder}/`)]
  return { files: files.map((file) => ({ ...file, path: composed(path + file.below) })), folders: made.map(composed) }
}

/** Some disks store decomposed names (NFD); paths in a bucket are composed (NFC). */
const composed = (path: string): string => path.normalize('NFC')

/** `/a/b/` -> `/a/`, `/a/b/` */
function foldersTo(path: string): string[] {
  const names = path.split('/').slice(1, -1)
  return names.map((_, i) => `/${names.slice(0, i + 1).join('/')}/`)
}

async function fileThere(client: Client, bucket: string, path: string): Promise<StoredFile | null> {
  try {
    return await client.file(bucket, path)
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}

async function makeFolder(client: Client, bucket: string, path: string): Promise<void> {
  await client.makeFolder(bucket, path).catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.code !== 'already_exists') throw error
  })
}

/** The file was changed after it was hashed. */
function changed(error: unknown): unknown {
  if (!(error instanceof ProblemError) || error.code !== 'checksum_mismatch') return error
  return new CommandFault('A file changed while it was sent, so none of its bytes were stored. Run the command again.')
}

const TYPES: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  xml: 'application/xml',
  zip: 'application/zip',
}

function typeOf(path: string): string {
  const [, extension = ''] = /\.([A-Za-z0-9]+)$/.exec(path) ?? []
  const known = extension.toLowerCase()
  return Object.hasOwn(TYPES, known) ? (TYPES[known] ?? '') : 'application/octet-stream'
}
