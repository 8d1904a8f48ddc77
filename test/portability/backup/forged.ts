// What somebody can do who has no key, but the right to write to a backup destination and a copy of our source: reads
// all objects, changes them, and writes them with every plain sum made again. Independent of the code that writes
// backups.

import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { newFolder } from '../../cli/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever the files have
type Fields = Record<string, any>

export interface Forged {
  /** Of the newest backup, without its sum. */
  manifest: Fields
  /** Entries of the chunk list, each with the lines of its chunk: events, then the statement. */
  chunks: { entry: Fields; lines: Fields[] }[]
  secrets: Fields[]
}

const sha = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const linesIn = (path: string): Fields[] =>
  gunzipSync(readFileSync(path))
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
const textOf = (lines: readonly Fields[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

export const newestManifest = (folder: string): string => readdirSync(join(folder, 'backups')).sort().at(-1) ?? ''

export function readForged(folder: string): Forged {
  const text = readFileSync(join(folder, 'backups', newestManifest(folder)), 'utf8')
  const { sha256: _, ...manifest }: Fields = JSON.parse(text)
  const listed = (lists: Fields[]) =>
    lists.flatMap(({ sha256 }) => linesIn(join(folder, 'lists', `${sha256}.ndjson.gz`)))
  const chunks = listed(manifest.chunk_lists).map((entry) => ({
    entry,
    lines: linesIn(chunkPath(folder, manifest, entry)),
  }))
  const secrets = listed(manifest.secret_lists).flatMap(({ sha256 }) =>
    linesIn(join(folder, 'secrets', `${sha256}.ndjson.gz`)),
  )
  return { manifest, chunks, secrets }
}

const chunkPath = (folder: string, { installation }: Fields, { after, last, sha256 }: Fields) =>
  join(folder, 'log', installation, `${after ?? 'beginning'}_${last}_${sha256}.ndjson.gz`)

/** Writes it in place of the newest backup. All sums, counts and ends are made again from the lines. */
export function writeForged(folder: string, { manifest, chunks, secrets }: Forged): void {
  const old = newestManifest(folder)
  for (const part of ['log', 'lists', 'secrets']) rmSync(join(folder, part), { recursive: true, force: true })
  mkdirSync(join(folder, 'log', manifest.installation), { recursive: true })
  const entries = chunks.map(({ entry, lines }) => forgedChunk(folder, manifest, entry, lines))
  const events = entries.reduce((sum, entry) => sum + entry.events, 0)
  const secretsText = textOf(secrets)
  const secretEntry = { ...written(folder, 'secrets', secretsText), secrets: secrets.length }
  const list = (some: Fields[]) => {
    const { sha256 } = written(folder, 'lists', textOf(some))
    return [{ sha256, entries: some.length }]
  }
  const last = chunks.at(-1)?.lines.findLast(isEvent)
  const bytes = [...entries, secretEntry].reduce((sum, entry) => sum + entry.bytes, 0)
  const forged = {
    ...manifest,
    ...{ events, head: last?.position ?? null, until: last?.time ?? null, bytes },
    ...(manifest.secrets_sha256 === undefined ? {} : { secrets_sha256: sha(secretsText) }),
    ...{ chunk_lists: list(entries), secret_lists: list([secretEntry]) },
  }
  rmSync(join(folder, 'backups', old))
  writeManifest(folder, forged)
}

export function writeManifest(folder: string, manifest: Fields): void {
  const text = JSON.stringify({ ...manifest, sha256: sha(JSON.stringify(manifest)) }, null, 1)
  writeFileSync(join(folder, 'backups', `${manifest.id}.json`), `${text}\n`)
}

const isEvent = (line: Fields) => line.chunk === undefined

function forgedChunk(folder: string, manifest: Fields, entry: Fields, all: readonly Fields[]): Fields {
  const events = all.filter(isEvent)
  const statement = all.find((line) => !isEvent(line))
  const end = events.at(-1) ?? {}
  const sums = { last: end.position, events: events.length }
  const coded = statement === undefined ? {} : { last_id: end.id, lines_sha256: sha(textOf(events)) }
  const chunk = statement === undefined ? [] : [{ chunk: { ...statement.chunk, ...sums, ...coded } }]
  const bytes = gzipSync(textOf([...events, ...chunk]))
  const forged = { ...entry, ...sums, ...coded, sha256: sha(bytes), bytes: bytes.length }
  writeFileSync(chunkPath(folder, manifest, forged), bytes)
  return forged
}

function written(folder: string, part: string, text: string): { sha256: string; bytes: number } {
  const bytes = gzipSync(text)
  mkdirSync(join(folder, part), { recursive: true })
  writeFileSync(join(folder, part, `${sha(bytes)}.ndjson.gz`), bytes)
  return { sha256: sha(bytes), bytes: bytes.length }
}

/** A copy of a destination, changed. */
export async function forgedCopy(from: string, change: (forged: Forged, folder: string) => void): Promise<string> {
  const folder = await copyOf(from)
  const forged = readForged(folder)
  change(forged, folder)
  writeForged(folder, forged)
  return folder
}

export async function copyOf(from: string): Promise<string> {
  const folder = join(await newFolder(), 'copy')
  cpSync(from, folder, { recursive: true })
  return folder
}

/** All files below a folder but the lock, relative to it. */
export const objectsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'lock')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
