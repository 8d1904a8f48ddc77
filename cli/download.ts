// `scorebook bucket download`: downloads a file or a folder. Bytes are written under a temporary name until they are
// complete and verified. A repeated download resumes after the bytes that exist.

import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Client } from '../clients/javascript/connect.ts'
import type { StoredFile } from '../clients/javascript/file-shapes.ts'
import type { Answer } from './command.ts'
import { CommandFault, UsageFault } from './failure.ts'
import { onThisDisk, sha256Of } from './local-files.ts'
import { makeFolders, openPart } from './part-file.ts'
import type { Target } from './target.ts'
import { printable, type Terminal } from './terminal.ts'
import { inTheWay, type Moved, mapFew, moveAll, movedAnswer, remoteOf, whoHas } from './transfer.ts'

export interface DownloadOptions {
  readonly recursive?: boolean
  readonly force?: boolean
  readonly to?: string
}

const PAGE = 100

export async function download(
  { terminal, target }: { readonly terminal: Terminal; readonly target: Target },
  source: string,
  options: DownloadOptions,
): Promise<Answer> {
  const { bucket, path } = remoteOf(source)
  const isFolder = path.endsWith('/')
  if (isFolder && options.recursive !== true) {
    throw new UsageFault(`${printable(path)} is a folder: download it with --recursive.`)
  }
  const client = await whoHas(target, bucket)
  const files = isFolder ? await filesBelow(terminal, client, bucket, path) : [await client.file(bucket, path)]
  const jobs = isFolder
    ? intoFolder(files, path, options.to ?? (path === '/' ? bucket : basename(path)))
    : [await asOne(files[0] as StoredFile, options.to)]
  const states = await mapFew(jobs, standing)
  const blocked = jobs.filter((_, i) => states[i] === 'other').map(({ local }) => local)
  if (blocked.length > 0 && options.force !== true) throw inTheWay(blocked)
  const moved = await moveAll<Moved>({
    terminal,
    label: 'Downloading',
    jobs: jobs.filter((_, i) => states[i] !== 'same'),
    bytesOf: ({ size }) => size,
    run: async (job, onBytes, how) => {
      const { local, sha256 } = job
      const overwrites = options.force === true
      await makeFolders(dirname(local))
      const part = await openPart(local, sha256, onBytes)
      try {
        const file = await client.fetchInto(bucket, job.path, part, how)
        await part.finish(overwrites)
        return { path: file.path, local, size: file.size, sha256: file.sha256 }
      } finally {
        await part.close()
      }
    },
  })
  const unchanged = jobs.filter((_, i) => states[i] === 'same')
  return movedAnswer('Downloaded', moved, unchanged, ({ local, path: from }) => `${from} to ${local}`)
}

/** All files in and below a folder that this key may see. */
async function filesBelow(terminal: Terminal, client: Client, bucket: string, path: string): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  const folders: string[] = []
  for (let offset = 0, most = 1; offset < most; offset += PAGE) {
    const page = await client.list(bucket, path, { limit: PAGE, offset })
    files.push(...(page.files ?? []))
    folders.push(...(page.folders ?? []).map((folder) => folder.path))
    most = Math.max(page.file_count ?? 0, page.folder_count ?? 0)
    if (offset === 0 && (page.files === null || page.folders === null)) {
      terminal.err(`This key may not see all of ${printable(path)}: hidden files are skipped.`)
    }
  }
  for (const folder of folders) files.push(...(await filesBelow(terminal, client, bucket, folder)))
  return files
}

function intoFolder(files: readonly StoredFile[], path: string, folder: string): Moved[] {
  return files.map((file) => {
    const names = file.path.slice(path.length).split('/')
    for (const name of names) checkName(name, file.path)
    return { ...movedOf(file), local: join(folder, ...names) }
  })
}

async function asOne(file: StoredFile, to: string | undefined): Promise<Moved> {
  checkName(file.name, file.path)
  if (to === undefined) return { ...movedOf(file), local: file.name }
  const isFolder = to.endsWith('/') || (await stat(to).catch(() => null))?.isDirectory() === true
  return { ...movedOf(file), local: isFolder ? join(to, file.name) : to }
}

const movedOf = ({ path, size, sha256 }: StoredFile) => ({ path, size, sha256 })

/** Never writes outside the given folder, whatever paths the server returns. */
function checkName(name: string, path: string): void {
  const isHarmless = name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)
  if (!isHarmless) throw new CommandFault(`${printable(path)} has a name that cannot be a file's here.`)
}

/** What exists at the target of a file. Bytes that cannot be compared count as different. */
async function standing({ local, size, sha256 }: Moved): Promise<'none' | 'same' | 'other'> {
  const facts = await stat(local).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    return onThisDisk(local, () => Promise.reject(error))
  })
  if (facts === null) return 'none'
  if (!facts.isFile()) throw new CommandFault(`${printable(local)} exists already and is not a file.`)
  if (sha256 === null || facts.size !== size) return 'other'
  return (await sha256Of(local)) === sha256 ? 'same' : 'other'
}
