// Two nodes that share revocations, and the read models of one key, session and player: for tests of the authentication
// of a token.

import { authenticate } from '../../access/authenticate.ts'
import { createStatuses, type Statuses } from '../../access/statuses.ts'
import { createTokens, type Tokens } from '../../credentials/tokens.ts'
import type { JsonObject } from '../../domain/event.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Noted } from '../../stores/contract/revocations.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { at, RevocationsWorld, type TestNode } from './revocations-world.ts'
import { STATUS_OPTIONS } from './status-options.ts'

export const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')
export const iso = (ms: number) => new Date(ms).toISOString()
export const PERMISSIONS = ['lb:*:scores', 'lb:*:submit']
const CLAIMS = { key: 'k', game: 'g', permissions: PERMISSIONS, player: 'p', session: 's' }
export const KEY = { game: 'g', name: '', kind: 'client', algorithm: 'ed25519', publicKey: '', created: iso(NOW_MS) }
export const PLAYER = { name: null, guest: true, externalId: null, created: iso(NOW_MS), banned: null, deleted: false }
export const SESSION = { player: 'p', key: 'k', permissions: [], expires: iso(NOW_MS + 1_000_000_000) }

/** The answer of `asked` for a token that may do all that the key permits. */
export const ALL = `may ${PERMISSIONS}`

export interface AuthenticationWorld {
  readonly shared: RevocationsWorld
  /** The node that authenticates. */
  readonly node: TestNode
  readonly other: TestNode
  /** Its documents, whose reads are counted. */
  readonly queries: QueryDeps
  readonly tokens: Tokens
  /** What `asked` authenticates with. */
  statuses: Statuses
  reads(): number
  write(collection: string, id: string, pos: number, state: JsonObject): Promise<void>
  keyAt(pos: number, permissions: readonly string[], revoked?: boolean): Promise<void>
  /** A token of the key, session and player, with these changes. */
  tokenOf(change?: Partial<typeof CLAIMS>): Promise<string>
  /** `may <permissions>`, or the code or name of the error. */
  asked(call?: { readonly token?: string; readonly nowMs?: number }): Promise<string>
  /** Notes changes on the other node, and polls them on this one. */
  elsewhere(...changes: Noted[]): Promise<void>
}

export async function authenticationWorld(): Promise<AuthenticationWorld> {
  const shared = new RevocationsWorld()
  const [other, node] = [shared.node(), shared.node()]
  for (const { revocations } of [other, node]) await revocations.poll()
  const tokens = createTokens(new Uint8Array(32))
  const views = createMemoryViews()
  for (const key of ['keys', 'sessions', 'players']) {
    await views.prepare({ key, collections: [{ name: key, indexes: {} }] })
  }
  let reads = 0
  const get: typeof views.get = (...asked) => {
    reads++
    return views.get(...asked)
  }
  const rankings = createRankings()
  const queries = { history: createMemoryLog(), views: { ...views, get }, rankings, viewKey: (name: string) => name }
  const tokenOf: AuthenticationWorld['tokenOf'] = async (change = {}) =>
    (await tokens.issue({ ...CLAIMS, ...change }, NOW_MS)).token
  const own = await tokenOf()
  const of: AuthenticationWorld = {
    ...{ shared, node, other, queries, tokens, tokenOf, reads: () => reads },
    statuses: createStatuses(queries, node.revocations, STATUS_OPTIONS),
    write: (view, id, pos, state) => {
      const written = { collection: view, id, pos: at(pos), body: { id, game: 'g', state } }
      return views.commit([{ view, writes: [written], checkpoints: new Map() }])
    },
    keyAt: (pos, permissions, revoked = false) => of.write('keys', 'k', pos, { ...KEY, permissions, revoked }),
    asked: async ({ token = own, nowMs = NOW_MS } = {}) => {
      try {
        const { may } = await authenticate(of.statuses, tokens, token, nowMs)
        return `may ${PERMISSIONS.filter(may)}`
      } catch (error) {
        if (!(error instanceof Error)) return String(error)
        return 'code' in error ? String(error.code) : error.name
      }
    },
    elsewhere: async (...changes) => {
      await other.revocations.note(changes)
      await node.revocations.poll()
    },
  }
  await of.keyAt(1, PERMISSIONS)
  await of.write('sessions', 's', 2, { ...SESSION, ended: false })
  await of.write('players', 'p', 3, PLAYER)
  return of
}
