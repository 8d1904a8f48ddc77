// Plays a history on a real board and on the model side by side, and tells the first answer in which they differ.

import { isDeepStrictEqual } from 'node:util'
import { scaled } from './big-decimal.ts'
import { type BoardModel, createBoardModel, type Foretold, type ModelRules, type ScoreBody } from './board-model.ts'
import type { Bound, History, Question, Step } from './histories.ts'

/** A way into the service for one history: over HTTP, or through the handlers of the routes. */
export interface Door {
  readonly game: string
  /** What the service takes for now from here on. */
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
  readonly asked: unknown
  readonly answered: unknown
  readonly foretold: unknown
}

export const HISTORY_START_MS = Date.UTC(2026, 2, 1, 22, 30)
const UNKNOWN_PLAYER = 'zzzzzzzzzzzzzzzzzzzzzzzz'
const NO_SCORE = 'yyyyyyyyyyyyyyyyyyyyyyyy'
const ID = /^[a-z2-7]{24}$/

interface Stage {
  readonly door: Door
  readonly history: History
  readonly model: BoardModel
  readonly board: string
  readonly players: readonly string[]
  /** Ids of entries there were, deleted ones too. */
  readonly ids: string[]
  nowMs: number
}

/** Null where every answer was as foretold. */
export async function play(door: Door, history: History): Promise<Difference | null> {
  const stage = await setUp(door, history)
  for (const [index, step] of history.steps.entries()) {
    stage.nowMs += step.afterMs
    door.setTime(stage.nowMs)
    const difference = await takeStep(stage, step)
    if (difference !== null) return { step: index, ...difference }
  }
  return null
}

async function setUp(door: Door, history: History): Promise<Stage> {
  door.setTime(HISTORY_START_MS)
  const rules = rulesOf(history)
  const made = await door.call('POST', `/api/gm/${door.game}/lb/`, { body: { name: 'Board', ...rules } })
  const makePlayer = async (name: string): Promise<[string, string]> => {
    const { body } = await door.call('POST', `/api/gm/${door.game}/players/`, { body: { name } })
    return [body.id, name]
  }
  const names = new Map(await Promise.all(history.names.map(makePlayer)))
  const board: string = made.body.id
  const model = createBoardModel({ id: board, game: door.game, name: 'Board', rules, sinceMs: HISTORY_START_MS, names })
  return { door, history, model, board, players: [...names.keys()], ids: [], nowMs: HISTORY_START_MS }
}

function rulesOf({ rules: { min, max, ...rules }, values }: History): ModelRules {
  const [low = null, high = null] = [min, max].map((pick) => (pick === null ? null : (values[pick] ?? null)))
  const turned = low !== null && high !== null && scaled(low) > scaled(high)
  return { ...rules, min_score: turned ? high : low, max_score: turned ? low : high }
}

function takeStep(stage: Stage, step: Step): Promise<Omit<Difference, 'step'> | null> {
  switch (step.do) {
    case 'submit':
      return submit(stage, step)
    case 'delete':
      return remove(stage, step.pick)
    case 'rename':
      return rename(stage, step.player, step.name)
    case 'ban':
      return ban(stage, step.player, step.reason)
    case 'unban':
      return unban(stage, step.player)
    case 'forget':
      return forget(stage, step.player)
    case 'list':
      return list(stage, step.question)
    case 'read':
      return read(stage, step.pick)
  }
}

async function submit(stage: Stage, { player: pick, score, rest }: Extract<Step, { do: 'submit' }>) {
  const { door, model, board, ids, nowMs, history } = stage
  const { secondary, ...others } = rest
  const player = stage.players[pick] as string
  const body: ScoreBody = { score: history.values[score] as string, ...others }
  if (secondary !== undefined)
    Object.assign(body, { secondary_score: secondary === null ? null : history.values[secondary] })
  const answer = await door.call('POST', `/api/lb/${board}/score/`, { body: { ...body, player } })
  const refused = model.refuses(player, body)
  if (refused !== null) return compare({ ...body, player }, answer, refused)
  const given: unknown = answer.body.submitted
  // An id that the server told must be a new one; one that it did not tell is a later submission of a unique entry.
  const isNew = typeof given === 'string' && ID.test(given) && !ids.includes(given)
  if (isNew) ids.push(given)
  return compare({ ...body, player }, answer, model.submit(player, body, nowMs, isNew ? given : 'not told'))
}

async function remove({ door, model, ids, nowMs }: Stage, pick: number) {
  const id = ids.length === 0 ? NO_SCORE : (ids[pick % ids.length] as string)
  return compare({ delete: id }, await door.call('DELETE', `/api/score/${id}/`), model.remove(id, nowMs))
}

async function rename({ door, model, players }: Stage, pick: number, name: string) {
  const player = players[pick] as string
  const answer = await door.call('PUT', `/api/gm/${door.game}/players/${player}/`, { body: { name } })
  return compare({ rename: player, name }, withoutTimes(answer), model.rename(player, name))
}

async function ban({ door, model, players }: Stage, pick: number, reason: string | null) {
  const player = players[pick] as string
  const answer = await door.call('POST', `/api/gm/${door.game}/players/${player}/ban/`, { body: { reason } })
  return compare({ ban: player, reason }, withoutTimes(answer), model.ban(player, reason))
}

async function unban({ door, model, players }: Stage, pick: number) {
  const player = players[pick] as string
  const answer = await door.call('POST', `/api/gm/${door.game}/players/${player}/unban/`)
  return compare({ unban: player }, withoutTimes(answer), model.unban(player))
}

async function forget({ door, model, players }: Stage, pick: number) {
  const player = players[pick] as string
  const answer = await door.call('DELETE', `/api/gm/${door.game}/players/${player}/`)
  return compare({ forget: player }, answer, model.forget(player))
}

function withoutTimes({ status, body }: Answer): Answer {
  const { created: _, ...rest } = body
  if (!rest.banned) return { status, body: rest }
  const { since: __, ...shown } = rest.banned
  return { status, body: { ...rest, banned: shown } }
}

async function list(stage: Stage, question: Question) {
  const { door, model, board } = stage
  const query = queryOf(stage, question)
  return compare(query, await door.call('GET', `/api/lb/${board}/score/`, { query }), model.scores(query))
}

async function read({ door, model, board, ids }: Stage, pick: number) {
  const id = ids.length === 0 ? NO_SCORE : (ids[pick % ids.length] as string)
  const one = compare({ score: id }, await door.call('GET', `/api/score/${id}/`), model.score(id))
  return one ?? compare({ board }, await door.call('GET', `/api/lb/${board}/`), model.leaderboard())
}

function queryOf({ model, history, players }: Stage, question: Question): Record<string, string> {
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

function compare(asked: unknown, { status, body }: Answer, foretold: Foretold): Omit<Difference, 'step'> | null {
  const same = 'code' in foretold ? body.code === foretold.code : isDeepStrictEqual(body, foretold.body)
  return same && status === foretold.status ? null : { asked, answered: { status, body }, foretold }
}
