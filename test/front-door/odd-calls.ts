// Unusual valid input of one tenant, each read back by GET and compared exactly with the result that the contract
// defines.

import type { Random } from '../random.ts'
import { pause } from '../until.ts'
import { clientToken, type MadeGame, makeGame } from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { canonical, oddJson, spelled } from './odd-json.ts'
import {
  oddDecimal,
  oddDescription,
  oddExternalId,
  oddIdempotencyKey,
  oddName,
  oddOrigins,
  oddPermissions,
} from './odd-texts.ts'
import { tokenOf, type World } from './world.ts'

/** The expected entry; without an own player name, the current name of the player applies. */
interface DueScore {
  readonly player: string
  readonly playerName: string | null
  readonly score: string
  readonly secondary: string | null
  /** Canonical JSON. */
  readonly extra: string
}

export interface OddTenant {
  readonly world: World
  readonly random: Random
  readonly game: MadeGame
  readonly client: string
  readonly operator: string
  /** Boards with one entry per player, and with any number. */
  readonly boards: readonly { readonly id: string; readonly unique: boolean }[]
  /** Player -> expected answer of GET. */
  readonly players: Map<string, Body>
  readonly externalIds: Set<string>
  readonly scores: Map<string, DueScore>
  readonly made: Map<string, Body>
  keys: number
  /** The consistency token of the last answer to a write. */
  newestToken: string
}

/** Field -> JSON text. */
type Fields = Readonly<Record<string, string | undefined>>

export async function openOddTenant(world: World, random: Random): Promise<OddTenant> {
  const game = await makeGame(world)
  const client = await clientToken(world, game)
  const operator = await tokenOf(world, world.operator)
  const fresh = { players: new Map(), externalIds: new Set<string>(), scores: new Map(), made: new Map() }
  const tenant = { world, random, game, client, operator, boards: [], keys: 2, newestToken: '', ...fresh }
  const boards = []
  for (const unique of [true, false]) {
    const { id } = await write(tenant, 'POST', `/api/gm/${game.id}/lb/`, 201, {
      name: '"scores"',
      ordering: random.pick(['"desc"', '"asc"']),
      unique: String(unique),
    })
    boards.push({ id, unique })
  }
  const opened = { ...tenant, boards }
  for (let n = 0; n < 3; n++) await player(opened)
  return opened
}

/** Far more tries than needed, also on a busy machine. */
const MAX_TRIES = 30

/** Repeated by weight. */
const KINDS = { score, player, renamed, guest, leaderboard, settings, key }
const WEIGHTS = { score: 10, player: 3, renamed: 2, guest: 1, leaderboard: 2, settings: 2, key: 1 }

/** Sends one unusual input and reads it back; throws on any difference. */
export async function sendOdd(tenant: OddTenant): Promise<void> {
  const kind = tenant.random.weighted(Object.keys(KINDS) as (keyof typeof KINDS)[], (one) => WEIGHTS[one])
  await KINDS[kind](tenant)
}

async function player(tenant: OddTenant): Promise<void> {
  const { random, game, players, externalIds } = tenant
  const [name, external] = [oddName(random), random.chance(0.6) ? oddExternalId(random) : null]
  const isTaken = external !== null && externalIds.has(external)
  const path = `/api/gm/${game.id}/players/`
  const sent = {
    name: spelled(name.sent, random),
    external_id: external === null ? undefined : spelled(external, random),
  }
  const { id } = await write(tenant, 'POST', path, isTaken ? 409 : 201, sent)
  if (isTaken) return
  if (external !== null) externalIds.add(external)
  const created = new Date(tenant.world.clock.nowMs).toISOString()
  players.set(id, { id, name: name.due, created, guest: false, external_id: external, banned: null })
  await checkPlayer(tenant, id)
}

async function renamed(tenant: OddTenant): Promise<void> {
  const { random, game, players } = tenant
  const [id, name] = [random.pick([...players.keys()]), oddName(random)]
  const path = `/api/gm/${game.id}/players/${id}/`
  await write(tenant, 'PUT', path, 200, { name: spelled(name.sent, random) })
  players.set(id, { ...players.get(id), name: name.due })
  await checkPlayer(tenant, id)
}

async function guest(tenant: OddTenant): Promise<void> {
  const { random, game, client, players, world } = tenant
  const name = oddName(random)
  const path = `/api/gm/${game.id}/player/guest/`
  const { player: made, token } = await write(tenant, 'POST', path, 201, { name: spelled(name.sent, random) }, client)
  const created = new Date(world.clock.nowMs).toISOString()
  const own = { id: made.id, name: name.due, created, guest: true }
  same(await read(tenant, `/api/gm/${game.id}/player/me/`, token), own)
  players.set(made.id, { ...own, external_id: null, banned: null })
  await checkPlayer(tenant, made.id)
}

export async function checkPlayer(tenant: OddTenant, id: string): Promise<void> {
  const due = tenant.players.get(id)
  const path = `/api/gm/${tenant.game.id}/players/`
  same(await read(tenant, `${path}${id}/`), due)
  const found = await read(tenant, `${path}?limit=100&name=${encodeURIComponent(due.name)}`)
  const row = found.players.find((one: Body) => one.id === id)
  if (found.count <= 100) same(row, due)
}

async function score(tenant: OddTenant): Promise<void> {
  const { random, boards, players, scores } = tenant
  const [board, id] = [random.pick(boards), random.pick([...players.keys()])]
  const [value, second] = [oddDecimal(random), random.chance(0.5) ? oddDecimal(random) : null]
  const name = random.chance(0.4) ? oddName(random) : null
  const extra = random.chance(0.9) ? oddJson(random) : null
  const answer = await write(tenant, 'POST', `/api/lb/${board.id}/score/`, null, {
    score: `"${value.sent}"`,
    secondary_score: second === null ? undefined : `"${second.sent}"`,
    player_name: name === null ? undefined : spelled(name.sent, random),
    extra_data: extra?.sent,
    player: `"${id}"`,
  })
  const due: DueScore = {
    player: id,
    playerName: name?.due ?? null,
    score: value.due,
    secondary: second?.due ?? null,
    extra: extra?.due ?? 'null',
  }
  const entry: string = board.unique ? answer.id : answer.submitted
  if (!board.unique || answer.improved) scores.set(entry, due)
  await checkScore(tenant, entry)
  const { player_name } = dueScore(tenant, entry)
  const filter = `player=${id}&player_name=${encodeURIComponent(player_name)}`
  const row = scores.get(entry)?.score
  const listed = await read(tenant, `/api/lb/${board.id}/score/?limit=100&${filter}&min_score=${row}&max_score=${row}`)
  const found = listed.scores.find((one: Body) => one.id === entry)
  if (listed.count <= 100) same({ ...found, rank: undefined }, { ...dueScore(tenant, entry), rank: undefined })
}

export async function checkScore(tenant: OddTenant, id: string): Promise<void> {
  same(await read(tenant, `/api/score/${id}/`), dueScore(tenant, id))
}

function dueScore({ scores, players, world }: OddTenant, id: string): Body {
  const due = scores.get(id)
  if (due === undefined) throw new Error(`an entry that nobody made: ${id}`)
  const at = new Date(world.clock.nowMs).toISOString()
  const player_name = due.playerName ?? players.get(due.player).name
  const own = { id, player: due.player, player_name, score: due.score, secondary_score: due.secondary }
  return { ...own, added: at, updated: at, extra_data: JSON.parse(due.extra) }
}

async function leaderboard(tenant: OddTenant): Promise<void> {
  const { random, game, made } = tenant
  const [name, about] = [oddName(random), oddDescription(random)]
  const texts = { name: spelled(name.sent, random), description: spelled(about.sent, random) }
  const [min, max] = [oddDecimal(random), oddDecimal(random)]
  const bounds = random.pick([{}, { min_score: min }, { max_score: max }])
  const sent = Object.fromEntries(Object.entries(bounds).map(([bound, { sent: text }]) => [bound, `"${text}"`]))
  const rules = { ordering: random.pick(['desc', 'asc']), unique: random.chance(0.5) }
  const { id } = await write(tenant, 'POST', `/api/gm/${game.id}/lb/`, 201, {
    ...texts,
    ...sent,
    ordering: `"${rules.ordering}"`,
    unique: String(rules.unique),
  })
  const dueBounds = Object.fromEntries(Object.entries(bounds).map(([bound, { due }]) => [bound, due]))
  const due = {
    id,
    game: game.id,
    secondary_ordering: 'desc',
    entries: 0,
    key: null,
    seasons: null,
    keep: 'best',
    min_score: null,
    max_score: null,
    ...rules,
  }
  const path = `/api/lb/${id}/`
  made.set(path, { ...due, ...dueBounds, name: name.due, description: about.due })
  same(await read(tenant, path), made.get(path))
  if (!random.chance(0.3)) return
  const [other, outcome] = [oddName(random), oddDescription(random)]
  await write(tenant, 'PUT', path, 200, {
    name: spelled(other.sent, random),
    description: spelled(outcome.sent, random),
  })
  made.set(path, { ...made.get(path), name: other.due, description: outcome.due })
  same(await read(tenant, path), made.get(path))
}

async function settings(tenant: OddTenant): Promise<void> {
  const { random, game, made, world } = tenant
  const path = `/api/gm/${game.id}/`
  const [name, origins] = [oddName(random), oddOrigins(random)]
  const rooms = Array.from({ length: random.below(3) }, (_, n) => ({
    id: `${'-'.repeat(n)}${n}`,
    name: oddName(random),
  }))
  const before = made.get(path) ?? (await read(tenant, path))
  await write(tenant, 'PUT', path, 200, {
    name: spelled(name.sent, random),
    cors_origins: `[${origins.map((origin) => spelled(origin, random)).join(',')}]`,
    fixed_rooms: `[${rooms
      .map(({ id, name: { sent } }) => `{"id":"${id}","name":${spelled(sent, random)},"max_members":2,"listed":true}`)
      .join(',')}]`,
  })
  const fixed_rooms = rooms.map(({ id, name: { due } }) => ({ id, name: due, max_members: 2, listed: true }))
  made.set(path, { ...before, name: name.due, cors_origins: origins, fixed_rooms })
  same(await read(tenant, path), made.get(path))
  for (const origin of origins) {
    const headers = { origin, 'access-control-request-method': 'GET', 'x-consistency-token': tenant.newestToken }
    same((await untilVisible(() => world.call('OPTIONS', path, { headers }))).status, 200)
    const answered = await world.call('GET', path, { token: game.token, headers: { origin } })
    same(answered.headers['access-control-allow-origin'], origin)
  }
}

async function key(tenant: OddTenant): Promise<void> {
  const { random, game } = tenant
  const [name, permissions] = [oddName(random), oddPermissions(random)]
  const path = `/api/gm/${game.id}/keys/`
  const fields = {
    name: spelled(name.sent, random),
    kind: '"client"',
    algorithm: '"ed25519"',
    permissions: JSON.stringify(permissions),
  }
  // The operator may grant permissions that the game’s own keys lack.
  const { prefix } = await write(tenant, 'POST', path, 201, fields, await tokenOf(tenant.world, tenant.world.operator))
  const created = new Date(tenant.world.clock.nowMs).toISOString()
  const due = { prefix, name: name.due, game: game.id, kind: 'client', algorithm: 'ed25519', permissions, created }
  // Keys are listed in the order of creation, and within a moment by prefix: it is among the last.
  const page = await read(tenant, `${path}?limit=1`)
  tenant.keys += 1
  same(page.count, tenant.keys)
  for (let offset = 0; offset < page.count; offset += 100) {
    const { keys } = await read(tenant, `${path}?limit=100&offset=${offset}`)
    const found = keys.find((one: Body) => one.prefix === prefix)
    if (found !== undefined) return same(found, { ...due, last_used: null, revoked: false })
  }
  throw new Error(`key ${prefix} is in no list`)
}

/** Sends it, a fifth of the time with an unusual Idempotency-Key, and then twice. `status` null: 200 or 201. */
async function write(
  tenant: OddTenant,
  method: string,
  path: string,
  status: number | null,
  fields: Fields,
  token = tenant.game.token,
): Promise<Body> {
  const { random, world } = tenant
  const pairs = Object.entries(fields).flatMap(([name, text]) => (text === undefined ? [] : [`"${name}":${text}`]))
  const repeated = random.chance(0.2)
  const headers = repeated ? { 'idempotency-key': oddIdempotencyKey(random) } : {}
  const sent = { token, raw: `{${pairs.join(',')}}`, headers }
  const answer = await untilVisible(() => world.call(method, path, sent))
  if (status === null ? answer.status > 201 : answer.status !== status) throw unexpected(answer, sent.raw)
  tenant.newestToken = String(answer.headers['x-consistency-token'] ?? tenant.newestToken)
  if (!repeated || answer.status > 201) return answer.body
  const again = await untilVisible(() => world.call(method, path, sent))
  if (again.status !== answer.status) throw unexpected(again, sent.raw)
  same(again.headers['idempotent-replay'], 'true')
  for (const field of ['id', 'prefix', 'submitted', 'improved']) same(again.body[field], answer.body[field])
  return answer.body
}

async function read({ world, game, newestToken }: OddTenant, path: string, token = game.token): Promise<Body> {
  const answer = await untilVisible(() =>
    world.call('GET', path, { token, headers: { 'x-consistency-token': newestToken } }),
  )
  if (answer.status !== 200) throw unexpected(answer, path)
  return answer.body
}

/** Retries after Retry-After, as a client does: on a busy machine the views may be late. */
async function untilVisible(read: () => Promise<Answered>): Promise<Answered> {
  for (let tries = 1; ; tries++) {
    const answer = await read()
    if (answer.status !== 503 || answer.body.code !== 'behind' || tries === MAX_TRIES) return answer
    await pause(Number(answer.headers['retry-after']) * 1_000)
  }
}

const unexpected = ({ status, text }: Answered, sent: string): Error => new Error(`${status} ${text} to ${sent}`)

/** In canonical form, so that the order of keys does not matter. */
function same(is: unknown, due: unknown): void {
  const [found, wanted] = [canonical(is), canonical(due)]
  if (found !== wanted) throw new Error(`is ${found}, and should be ${wanted}`)
}
