// `scorebook files check`: compares every file with its bytes, and every blob with the files. Reads the stores
// directly; embedded ones can be open in one process only.

import type { Command } from 'commander'
import type { MasterSecrets } from '../credentials/master.ts'
import { contentTypeOf } from '../domain/file.ts'
import { type Checked, checkFiles, countFiles, orphans, type ReadBlob } from '../queries/files/check.ts'
import { ORPHANS_KEPT_MS } from '../reactions/blobs.ts'
import { queryDeps } from '../server/compose.ts'
import { type Config, readConfig } from '../server/config.ts'
import { openInstallation } from '../server/installation.ts'
import { resolveActiveBuilds } from '../server/node/builds.ts'
import { openFiles } from '../server/open-stores.ts'
import type { FileStore } from '../stores/contract/files.ts'
import type { LocalFiles } from '../stores/contract/local-files.ts'
import type { OpenedStores } from '../stores/contract/stores.ts'
import { ownerFault, ownerIn } from '../stores/owned/ownership.ts'
import { type Answer, does, type Shell } from './command.ts'
import { CommandFault } from './failure.ts'
import { filesAdoptCommand } from './files-adopt.ts'
import { withOwnStores } from './own-stores.ts'
import { formatInteger, progressBar } from './progress.ts'
import { bytesText } from './sizes.ts'
import { FAILED, printable, type Terminal, withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'

interface CheckOptions {
  readonly hash?: boolean
}

const CHUNK_BYTES = 262_144
/** Lifetime of links for reading blobs: longer than any file takes. */
const LINK_MS = 60 * 60_000
/** Maximum lines printed; --json has all. */
const SHOWN = 50

const TROUBLE_TEXTS = {
  missing: 'no bytes',
  wrong_size: 'other size',
  wrong_bytes: 'other bytes',
  unreadable: 'cannot be read',
} as const

export function filesCommands(shell: Shell): void {
  const group: Command = shell.program.command('files').description('check stored files, and adopt their store')
  const check = group
    .command('check')
    .description('compare every file with its bytes, and find orphaned bytes; exits with 1 if a file is damaged')
    .option('--hash', 'read all bytes and compare their sha256')
  withExamples(check, 'files check', 'files check --hash --json')
  filesAdoptCommand(shell, group)
  does<CheckOptions>(shell, check, async ({ terminal, options }): Promise<Answer> => {
    const config = readConfig(terminal.env)
    return withOwnStores(config, terminal, (stores, master) =>
      checkAll(stores, { config, master, terminal, hash: options.hash === true }),
    )
  })
}

interface Setting {
  readonly config: Config
  readonly master: MasterSecrets
  readonly terminal: Terminal
  readonly hash: boolean
}

async function checkAll(opened: OpenedStores, { config, master, terminal, hash }: Setting): Promise<Answer> {
  const { stores: own, keys, filesClaim } = await openInstallation(opened, master)
  const stores = await resolveActiveBuilds(own)
  const files = await openFiles(config, keys.link, { warn: (text) => terminal.err(printable(text)) })
  if (files === null)
    throw new CommandFault('No file store is configured: set FILES_DIR to the value that the server has.')
  const deps = queryDeps({ stores })
  try {
    const views = await stores.views.list()
    if (!['files', 'blobs'].every((view) => views.includes(deps.viewKey(view))))
      throw new CommandFault('No server of this version has run on these stores yet: its first start builds the views.')
    const total = await countFiles(deps)
    const bar = progressBar(terminal, hash ? 'Reading files' : 'Checking files', total)
    const troubled: Checked[] = []
    for await (const checked of checkFiles(deps, files, hash ? reader(files) : null)) {
      bar.add()
      if (checked.trouble !== null) troubled.push(checked)
    }
    bar.end()
    const found = []
    let blobs = 0
    for await (const page of orphans(deps, files)) {
      blobs += page.seen
      found.push(...page.orphans)
    }
    const nowMs = Date.now()
    const orphaned = found.map(({ blob, size, storedMs }) => {
      const age = Math.max(0, Math.round((nowMs - storedMs) / 1_000))
      return { blob, size, age_seconds: age }
    })
    const fault = ownerFault(ownerIn(await files.owner.read(), filesClaim.owner), filesClaim.owner)
    return answer({ total, blobs, troubled, orphaned, fault }, terminal)
  } finally {
    await files.close()
  }
}

interface Orphaned {
  readonly blob: string
  readonly size: number
  readonly age_seconds: number
}

interface Found {
  readonly total: number
  readonly blobs: number
  readonly troubled: readonly Checked[]
  readonly orphaned: readonly Orphaned[]
  /** Why this installation does not own the store; null if it does. */
  readonly fault: string | null
}

function answer({ total, blobs, troubled, orphaned, fault }: Found, { columns }: Terminal): Answer {
  const lines = [`${formatInteger(total)} files, ${formatInteger(blobs)} blobs.`]
  if (troubled.length > 0) {
    const rows = troubled.slice(0, SHOWN).map(({ bucket, path, blob, trouble }) => {
      return [trouble === null ? '' : TROUBLE_TEXTS[trouble], bucket, path, blob]
    })
    const titles = [{ title: 'what' }, { title: 'bucket' }, { title: 'path', mayCut: true }, { title: 'blob' }]
    lines.push('', ...textTable(titles, rows, columns), ...unshown(troubled.length))
    lines.push('', `${formatInteger(troubled.length)} damaged: restore their blobs from a copy, or delete these files.`)
  } else lines.push('Every file has its bytes.')
  if (orphaned.length > 0) {
    const bytes = orphaned.reduce((sum, { size }) => sum + size, 0)
    const rows = orphaned
      .slice(0, SHOWN)
      .map(({ blob, size, age_seconds: age }) => [blob, bytesText(size), ageText(age)])
    const titles = [{ title: 'blob' }, { title: 'size' }, { title: 'age', align: 'right' as const }]
    const after = ageText(ORPHANS_KEPT_MS / 1_000)
    lines.push(
      '',
      `${orphaned.length === 1 ? '1 blob belongs' : `${formatInteger(orphaned.length)} blobs belong`} to no file, ${bytesText(bytes)}:`,
      '',
    )
    lines.push(...textTable(titles, rows, columns), ...unshown(orphaned.length))
    if (fault === null)
      lines.push('', `A running server removes those of overwritten and deleted files, and all others after ${after}.`)
  }
  if (fault !== null) lines.push('', `Warning: ${fault}`)
  const json = { files: total, blobs, damaged: troubled, orphans: orphaned }
  return { json, lines, exitCode: troubled.length > 0 ? FAILED : 0 }
}

/** `40 s`, `12 min`, `3 h`, `5 days` */
function ageText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`
}

const unshown = (count: number): string[] =>
  count > SHOWN ? [`  and ${formatInteger(count - SHOWN)} more: --json`] : []

/** Reads blobs from a local store directly, otherwise by a link. */
function reader(files: FileStore): ReadBlob {
  if ('open' in files) return async ({ blob }) => blobChunks(files as LocalFiles, blob)
  return async (file) => {
    const offered = { ...file, contentType: contentTypeOf(file), download: 'check' }
    const answered = await fetch(await files.downloadLink(offered, Date.now() + LINK_MS))
    if (answered.status === 404) return null
    if (!answered.ok || answered.body === null) throw new CommandFault(`The file store answered ${answered.status}.`)
    return answered.body
  }
}

async function blobChunks(files: LocalFiles, blob: string): Promise<AsyncIterable<Uint8Array> | null> {
  const opened = await files.open(blob)
  if (opened === null) return null
  return (async function* () {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    try {
      for (let at = 0; ; ) {
        const length = await opened.read(chunk, at)
        if (length === 0) return
        yield chunk.subarray(0, length)
        at += length
      }
    } finally {
      await opened.close()
    }
  })()
}
