// `scorebook bucket upload`: a file, or a folder with all that is in it. What is there already with the same bytes is
// passed over, so that an upload that broke off is finished by running it again.

import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Client, ProblemError } from '../client/connect.ts'
import type { StoredFile } from '../client/file-shapes.ts'
import type { Answer } from './command.ts'
import { typeOf } from './content-types.ts'
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
  /** Folders to be made, the upper ones first. */
  readonly folders: readonly string[]
}

export async function upload(
  { terminal, place }: { readonly terminal: Terminal; readonly place: Target },
  local: string,
  target: string,
  options: UploadOptions,
): Promise<Answer> {
  const remote = remoteOf(target)
  const { files, folders } = await planned(terminal, local, remote, options)
  const client = await whoHas(place, remote.bucket)
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
    run: async (job, told, how) => {
      const { path, size, sha256, contentType } = job
      let sent = 0
      const stored = await client.sendFile(
        remote.bucket,
        { path, size, sha256, content_type: contentType },
        (link, signal) => {
          // Sent again from the first byte.
          if (sent > 0) told(-sent)
          sent = 0
          const more = (bytes: number) => {
            sent += bytes
            told(bytes)
          }
          return sendLocal(job, link, more, signal)
        },
        how,
      )
      return { path: stored.path, local: job.local, size, sha256 }
    },
  }).catch((why: unknown) => {
    throw changed(why)
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
  for (const one of passedOver) terminal.err(`Passed over, as it is neither a file nor a folder: ${printable(one)}`)
  const made = [...foldersTo(path), ...folders.map((folder) => `${path}${folder}/`)]
  return { files: files.map((file) => ({ ...file, path: composed(path + file.below) })), folders: made.map(composed) }
}

/** Some disks keep names in pieces (NFD), and paths in a bucket are whole (NFC). */
const composed = (path: string): string => path.normalize('NFC')

/** `/a/b/` -> `/a/`, `/a/b/` */
function foldersTo(path: string): string[] {
  const names = path.split('/').slice(1, -1)
  return names.map((_, i) => `/${names.slice(0, i + 1).join('/')}/`)
}

async function fileThere(client: Client, bucket: string, path: string): Promise<StoredFile | null> {
  try {
    return await client.file(bucket, path)
  } catch (why) {
    if (why instanceof ProblemError && why.status === 404) return null
    throw why
  }
}

async function makeFolder(client: Client, bucket: string, path: string): Promise<void> {
  await client.makeFolder(bucket, path).catch((why: unknown) => {
    if (!(why instanceof ProblemError) || why.code !== 'already_exists') throw why
  })
}

/** The server had the sha256 first, and other bytes after. */
function changed(why: unknown): unknown {
  if (!(why instanceof ProblemError) || why.code !== 'checksum_mismatch') return why
  return new CommandFault('A file changed while it was sent: nothing of it was kept. Run it again.')
}
