// Plays a history on a real board and on the model in parallel, and returns the first answer in which they differ.

import { isDeepStrictEqual } from 'node:util'
import { scaled } from './big-decimal.ts'
import {
  type BoardModel,
  createBoardModel,
  type ExpectedAnswer,
  type ModelRules,
  type ScoreBody,
} from './board-model.ts'
import type { Bound, History, Question, Step } from './histories.ts'

/** A client of the API for one history: over HTTP, or through the route handlers. */
export interface ApiClient {
  readonly game: string
  /** Sets the current time of the service. */
  setTime(nowMs: number): void
  call(method: string, path: string, sent?: { query?: Record<string, string>; body?: unknown }): Promise<Answer>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer is compared whole
  readonly body: any
}

export interface Difference {
  readonly step: number
  readonly request: unknown
  readonly answered: unknown
  readonly expected: unknown
}

export const HISTORY_START_MS = Date.UTC(2026, 2, 1, 22, 30)
const UNKNOWN_PLAYER = 'zzzzzzzzzzzzzzzzzzzzzzzz'
const NO_SCORE = 'yyyyyyyyyyyyyyyyyyyyyyyy'
const ID = /^[a-z2-7]{24}$/

interface PlayState {
  readonly api: ApiClient
  readonly history: History
  readonly model: BoardModel
  readonly board: string
  readonly players: readonly string[]
  /** Ids of all entries so far, including deleted ones. */
  readonly ids: string[]
  nowMs: number
}

/** Null if every answer was as expected. */
export async function play(api: ApiClient, history: History): Promise<Difference | null> {
  const state = await setUp(api, history)
  for (const [index, step] of history.steps.entries()) {
    state.nowMs += step.afterMs
    api.setTime(state.nowMs)
    const difference = await playStep(state, step)
    if (difference !== null) return { step: index, ...difference }
  }
  return null
}

async function setUp(api: ApiClient, history: History): Promise<PlayState> {
  api.setTime(HISTORY_START_MS)
  const rules = rulesOf(history)
  const made = await api.call('POST', `/api/gm/${api.game}/lb/`, { body: { name: 'Board', ...rules } })
  const makePlayer = async (name: string): Promise<[string, string]> => {
    const { body } = await api.call('POST', `/api/gm/${api.game}/players/`, { body: { name } })
    return [body.id, name]
  }
  const names = new Map(await Promise.all(history.names.map(makePlayer)))
  const board: string = made.body.id
  const model = createBoardModel({ id: board, game: api.game, name: 'Board', rules, sinceMs: HISTORY_START_MS, names })
  return { api, history, model, board, players: [...names.keys()], ids: [], nowMs: HISTORY_START_MS }
}

function rulesOf({ rules: { min, max, ...rules }, values }: History): ModelRules {
  const [low = null, high = null] = [min, max].map((pick) => (pick === null ? null : (values[pick] ?? null)))
  const swapped = low !== null && high !== null && scaled(low) > scaled(high)
  const keep = rules.unique ? rules.keep : 'best'
  return { ...rules, keep, min_score: swapped ? high : low, max_score: swapped ? low : high }
}

function playStep(state: PlayState, step: Step): Promise<Omit<Difference, 'step'> | null> {
  switch (step.do) {
    case 'submit':
      return submit(state, step)
    case 'delete':
      return remove(state, step.pick)
    case 'rename':
      return rename(state, step.player, step.name)
    case 'ban':
      return ban(state, step.player, step.reason)
    case 'unban':
      return unban(state, step.player)
    case 'forget':
      return forget(state, step.player)
    case 'list':
      return list(state, step.question)
    case 'read':
      return read(state, step.pick)
  }
}

async function submit(state: PlayState, { player: pick, score, rest }: Extract<Step, { do: 'submit' }>) {
  const { api, model, board, ids, nowMs, history } = state
  const { secondary, ...others } = rest
  const player = state.players[pick] as string
  const body: ScoreBody = { score: history.values[score] as string, ...others }
  if (secondary !== undefined)
    Object.assign(body, { secondary_score: secondary === null ? null : history.values[secondary] })
  const answer = await api.call('POST', `/api/lb/${board}/score/`, { body: { ...body, player } })
  const refused = model.refuses(player, body)
  if (refused !== null) return compare({ ...body, player }, answer, refused)
  const given: unknown = answer.body.submitted
  // An id in the answer must be a new one; without one, it is a later submission of a unique entry.
  const isNew = typeof given === 'string' && ID.test(given) && !ids.includes(given)
  if (isNew) ids.push(given)
  return compare({ ...body, player }, answer, model.submit(player, body, nowMs, isNew ? given : 'no id'))
}

async function remove({ api, model, ids, nowMs }: PlayState, pick: number) {
  const id = ids.length === 0 ? NO_SCORE : (ids[pick % ids.length] as string)
  return compare({ delete: id }, await api.call('DELETE', `/api/score/${id}/`), model.remove(id, nowMs))
}

async function rename({ api, model, players }: PlayState, pick: number, name: string) {
  const player = players[pick] as string
  const answer = await api.call('PUT', `/api/gm/${api.game}/players/${player}/`, { body: { name } })
  return compare({ rename: player, name }, withoutTimes(answer), model.rename(player, name))
}

async function ban({ api, model, players }: PlayState, pick: number, reason: string | null) {
  const player = players[pick] as string
  const answer = await api.call('POST', `/api/gm/${api.game}/players/${player}/ban/`, { body: { reason } })
  return compare({ ban: player, reason }, withoutTimes(answer), model.ban(player, reason))
}

async function unban({ api, model, players }: PlayState, pick: number) {
  const player = players[pick] as string
  const answer = await api.call('POST', `/api/gm/${api.game}/players/${player}/unban/`)
  return compare({ unban: player }, withoutTimes(answer), model.unban(player))
}

async function forget({ api, model, players }: PlayState, pick: number) {
  const player = players[pick] as string
  const answer = await api.call('DELETE', `/api/gm/${api.game}/players/${player}/`)
  return compare({ forget: player }, answer, model.forget(player))
}

function withoutTimes({ status, body }: Answer): Answer {
  const { created: _, ...rest } = body
  if (!rest.banned) return { status, body: rest }
  const { since: __, ...shown } = rest.banned
  return { status, body: { ...rest, banned: shown } }
}

async function list(state: PlayState, question: Question) {
  const { api, model, board } = state
  const query = queryOf(state, question)
  return compare(query, await api.call('GET', `/api/lb/${board}/score/`, { query }), model.scores(query))
}

async function read({ api, model, board, ids }: PlayState, pick: number) {
  const id = ids.length === 0 ? NO_SCORE : (ids[pick % ids.length] as string)
  const one = compare({ score: id }, await api.call('GET', `/api/score/${id}/`), model.score(id))
  return one ?? compare({ board }, await api.call('GET', `/api/lb/${board}/`), model.leaderboard())
}

function queryOf({ model, history, players }: PlayState, question: Question): Record<string, string> {
  const times = model.submissions.map(({ time }) => Date.parse(time))
  const query: Record<string, string> = {}
  for (const [name, value] of Object.entries(question)) {
    if (name === 'since' || name === 'until') query[name] = boundText(value as Bound, times)
    else if (name === 'min_score' || name === 'max_score') query[name] = history.values[value as number] as string
    else if (name === 'player' || name === 'around') query[name] = players[value as number] ?? UNKNOWN_PLAYER
    else query[name] = String(value)
  }
  return query
}

const TWO_HOURS_MS = 7_200_000

function boundText({ pick, deltaMs, form }: Bound, times: readonly number[]): string {
  const ms = (times[pick % Math.max(1, times.length)] ?? HISTORY_START_MS) + deltaMs
  if (form === 'day') return new Date(ms).toISOString().slice(0, 10)
  if (form === 'utc') return new Date(ms).toISOString()
  return new Date(ms + TWO_HOURS_MS).toISOString().replace('Z', '+02:00')
}

function compare(
  request: unknown,
  { status, body }: Answer,
  expected: ExpectedAnswer,
): Omit<Difference, 'step'> | null {
  const same = 'code' in expected ? body.code === expected.code : isDeepStrictEqual(body, expected.body)
  return same && status === expected.status ? null : { request, answered: { status, body }, expected }
}
