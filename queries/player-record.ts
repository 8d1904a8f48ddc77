// Everything that is recorded about one player, for an access request. Each section is read in pages when the caller
// asks for it. No section contains a password hash, a token or another secret.

import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { contentTypeOf } from '../domain/file.ts'
import { linkOf } from '../domain/links.ts'
import { type Player, type PlayerEvent, playerStream } from '../domain/player.ts'
import { contentOf, type ScoreSubmittedData, scoreStream } from '../domain/score.ts'
import { SESSION_LIFETIME_MS, type Session } from '../domain/session.ts'
import { idIn, isNamed } from '../domain/streams.ts'
import { type UploadOpenedData, uploadStream } from '../domain/upload.ts'
import type { TimeSlices } from '../runtime/time-slices.ts'
import type { BriefEvent, History, HistoryPart } from '../stores/contract/history.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Vault } from '../stores/contract/vault.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { historyPages, unopened } from '../stores/support/history-pages.ts'
import { asFolded, type Folded, type QueryDeps } from './deps.ts'
import { documentPages } from './document-pages.ts'
import { fileAnswer, folderAnswer } from './files/answers.ts'
import type { FileDocument, FolderDocument } from './files/path-lookup.ts'
import { playerAnswer } from './player.ts'
import { contentAnswer, scoreAnswer } from './scores/entry.ts'
import { entriesOnBoards } from './scores/of-player-everywhere.ts'

export interface RecordDeps {
  readonly queries: QueryDeps
  readonly log: Pick<Log, 'readStream'>
  readonly vault: Pick<Vault, 'get'>
  /** The time slices in which the whole record is read. */
  readonly slices: TimeSlices
}

export interface Recorded extends Folded<Player> {
  readonly game: string
}

/** A value, or rows in pages. */
export type Section =
  | readonly [name: string, content: object]
  | readonly [name: string, rows: AsyncIterable<readonly object[]>]

const PAGE_SIZE = 100

/**
 * The sections in the order in which they must be read: the events name the leaderboards, folders and uploads of later
 * sections. Data that is recorded meanwhile may be in some sections and not in others.
 */
export async function* playerRecord(deps: RecordDeps, player: Recorded, nowMs: number): AsyncGenerator<Section> {
  const named: Named = { boards: new Set(), folders: new Set(), uploads: new Set() }
  yield ['player', playerAnswer(player.id, player.state)]
  yield ['exported', { game: player.game, time: new Date(nowMs).toISOString() }]
  yield ['sign_in', await signIn(deps, player)]
  yield ['names', streamRows(deps, playerStream(player.id), nameRow)]
  yield ['bans', streamRows(deps, playerStream(player.id), banRow)]
  yield ['sessions', sessions(deps, player.id)]
  yield ['events', events(deps, player, named)]
  yield ['entries', entries(deps, player.id)]
  yield ['submissions', ofBoards(deps, player.id, named, submissionRow)]
  yield ['deleted_scores', ofBoards(deps, player.id, named, deletedRow)]
  yield ['folders', folders(deps, [...named.folders])]
  yield ['files', files(deps, player.id)]
  yield ['uploads', uploads(deps, [...named.uploads])]
}

/** The ids that the player's events name. */
interface Named {
  readonly boards: Set<string>
  readonly folders: Set<string>
  readonly uploads: Set<string>
}

/** The login is null if it was last used before logins were stored: only its keyed hash is recorded then. */
async function signIn({ vault }: RecordDeps, { id, state }: Recorded) {
  const [login, email] = [linkOf(state, 'login'), linkOf(state, 'email')]
  const text = async (kind: 'login' | 'email', secret: string | undefined) => {
    const kept = secret === undefined ? null : await vault.get(kind, secret)
    return kept === null ? null : Buffer.from(kept).toString()
  }
  return {
    login: await text('login', login?.secret),
    has_password: login !== null,
    email: await text('email', email?.secret),
    email_confirmed: email?.confirmed ?? false,
    external_id: state.externalId,
    has_guest_token: (await vault.get('guest-token', id)) !== null,
  }
}

/** Rows of the events of one stream for which `row` returns one, in pages. */
async function* streamRows(
  { log, slices }: Pick<RecordDeps, 'log' | 'slices'>,
  stream: string,
  row: (event: StoredEvent) => object | null,
): AsyncGenerator<readonly object[]> {
  let page: object[] = []
  let read = 0
  for await (const event of eventsFrom(log, stream, 0, PAGE_SIZE)) {
    if (++read % PAGE_SIZE === 0) await slices.yieldIfDue()
    const made = row(event)
    if (made !== null) page.push(made)
    if (page.length < PAGE_SIZE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function nameRow(event: StoredEvent) {
  const { type, data } = unsafeCast<PlayerEvent>(event)
  return type === 'PlayerCreated' || type === 'PlayerNamed' ? { name: data.name, since: event.meta.time } : null
}

function banRow(event: StoredEvent) {
  const { type, data } = unsafeCast<PlayerEvent>(event)
  const { time } = event.meta
  if (type === 'PlayerBanned') return { time, banned: true, until: data.until, reason: data.reason }
  return type === 'PlayerUnbanned' ? { time, banned: false, until: null, reason: null } : null
}

async function* sessions({ queries, slices }: RecordDeps, player: string) {
  for (const index of ['open', 'ended']) {
    const find = { view: 'sessions', collection: 'sessions', index, equal: [player], rest: ['expires'] }
    for await (const page of documentPages(queries, find, () => slices.yieldIfDue())) {
      yield page.map((document) => {
        const { id, state } = asFolded<Session>(document)
        const { key, permissions, expires, ended } = state
        const started = new Date(Date.parse(expires) - SESSION_LIFETIME_MS).toISOString()
        return { id, key, permissions, started, expires, ended }
      })
    }
  }
}

async function* events({ queries: { history }, slices }: RecordDeps, { id, game }: Recorded, named: Named) {
  for await (const page of eventsAbout(history, game, id, slices)) {
    for (const event of page) {
      if (event.type === 'ScoreSubmitted') named.boards.add(event.meta.board ?? '')
      if (event.type === 'FolderCreated') named.folders.add(idIn(event.stream))
      if (event.type === 'UploadOpened') named.uploads.add(idIn(event.stream))
    }
    yield page.map(eventRow)
  }
}

/** Also those that are hidden while the player is banned. */
async function* entries({ queries, slices }: RecordDeps, player: string) {
  for await (const page of entriesOnBoards(queries, player, slices)) {
    yield page
      // An entry whose submissions are all outside the score bounds has no score.
      .filter(({ entry }) => entry.score !== null)
      .map(({ board, entry, isShown }) => ({
        leaderboard: board.id,
        leaderboard_name: board.state.name,
        hidden: !isShown,
        ...scoreAnswer(entry),
      }))
  }
}

async function* ofBoards(
  deps: RecordDeps,
  player: string,
  { boards }: Named,
  row: (board: string) => (event: StoredEvent) => object | null,
) {
  for (const board of boards) {
    yield* streamRows(deps, scoreStream(board, player), row(board))
    await deps.slices.yieldIfDue()
  }
}

/** Every submission, also one that improved nothing or was deleted since. */
const submissionRow = (leaderboard: string) => (event: StoredEvent) => {
  if (event.type !== 'ScoreSubmitted') return null
  const sent = unsafeCast<ScoreSubmittedData>(event.data)
  return { leaderboard, id: sent.id, ...contentAnswer(contentOf(sent, sent)), time: event.meta.time }
}

/** On a unique leaderboard a deletion removes all submissions before it. */
const deletedRow = (leaderboard: string) => (event: StoredEvent) => {
  if (event.type !== 'ScoreDeleted') return null
  return { leaderboard, score: event.data.id, with_all_before: event.data.upTo !== null, time: event.meta.time }
}

async function* folders({ queries: { views, viewKey }, slices }: RecordDeps, ids: readonly string[]) {
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    const found = await views.get(viewKey('files'), 'folders', ids.slice(from, from + PAGE_SIZE))
    yield found.flatMap((document) => {
      if (document === null) return []
      const folder = unsafeCast<FolderDocument>(document.body)
      return [{ bucket: folder.bucket, ...folderAnswer(folder) }]
    })
    await slices.yieldIfDue()
  }
}

async function* files({ queries, slices }: RecordDeps, player: string) {
  const find = { view: 'files', collection: 'files', index: 'creator', equal: [player], rest: ['bucket'] }
  for await (const page of documentPages(queries, find, () => slices.yieldIfDue())) {
    yield page.map(({ body }) => {
      const file = unsafeCast<FileDocument>(body)
      const download = `/api/bkt/${file.bucket}/download/?path=${encodeURIComponent(file.path)}`
      return { bucket: file.bucket, ...fileAnswer(file), download }
    })
  }
}

/** Uploads in progress: neither completed nor expired. */
async function* uploads({ queries: { views, viewKey }, log, slices }: RecordDeps, ids: readonly string[]) {
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    const some = ids.slice(from, from + PAGE_SIZE)
    const open = await views.get(viewKey('uploads'), 'uploads', some)
    const rows: object[] = []
    for (const [at, id] of some.entries()) {
      const [opened] = open[at] === null ? [] : await log.readStream(uploadStream(id), 0, 1)
      if (opened === undefined) continue
      const { bucket, path, size, contentType, sha256, expires } = unsafeCast<UploadOpenedData>(opened.data)
      rows.push({
        id,
        bucket,
        path,
        size,
        content_type: contentTypeOf({ contentType }),
        sha256,
        started: opened.meta.time,
        expires,
      })
    }
    yield rows
    await slices.yieldIfDue()
  }
}

// The events of a game's history that concern one player, as an access request shows them.

/** Events per read: less than a millisecond with a store in this process. */
const PAGE = 100

/**
 * Event fields that only reference stored data, or are keyed hashes of values that the record shows in clear: they say
 * nothing about the player.
 */
const INTERNAL: ReadonlySet<string> = new Set([
  ...['secret', 'digest', 'email', 'login', 'links', 'external'],
  ...['blob', 'folderKey', 'parentKey', 'replaced', 'deletion'],
])

/** Pages of a player's events, in log order. O(the game's history), however few are the player's, in time slices. */
export async function* eventsAbout(
  history: History,
  game: string,
  player: string,
  slices: TimeSlices,
): AsyncGenerator<readonly StoredEvent[]> {
  const filter = { game }
  let after: string | null = null
  const read: HistoryPart<BriefEvent | StoredEvent> = history.brief ?? unopened(history)
  for await (const page of historyPages(read, filter, { limit: PAGE }, () => slices.yieldIfDue())) {
    const wanted = new Set(page.filter((event) => isAbout(event, player)).map(({ position }) => position))
    if (wanted.size > 0) {
      const whole = await history.part(filter, after, page.length)
      yield whole.filter(({ position }) => wanted.has(position))
    }
    after = page.at(-1)?.position ?? after
  }
}

/** Whether the metadata names the player, or, for files, folders and uploads, the data does. */
function isAbout({ meta, data, stream }: BriefEvent | StoredEvent, player: string): boolean {
  const { player: named } = typeof meta === 'string' ? unsafeCast<StoredEvent['meta']>(JSON.parse(meta)) : meta
  if (named === player) return true
  if (isNamed(stream, 'upload-')) return data.player === player
  if (!isNamed(stream, 'file-') && !isNamed(stream, 'folder-')) return false
  const creator =
    data.creator ?? unsafeCast<{ readonly creator?: string | null } | null>(data.replaced ?? null)?.creator
  return creator === player
}

function eventRow({ position, type, data, meta }: StoredEvent) {
  const shown = Object.fromEntries(Object.entries(data).filter(([name]) => !INTERNAL.has(name)))
  const { time, board = null, actor } = meta
  return { position, type, time, leaderboard: board, actor, data: shown as JsonObject }
}
