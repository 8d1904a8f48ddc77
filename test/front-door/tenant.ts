// A tenant on the shared server: their own game, and calls with a token of their server key.

import { expect } from 'chai'
import { type MadeGame, makeGame } from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { sharedWorld } from './shared.ts'
import { must, tokenOf, type World } from './world.ts'

const LIMIT_MAX = 100

export interface Tenant {
  readonly world: World
  readonly game: MadeGame
  /** A token of the operator. */
  readonly operator: string
  get(path: string, token?: string): Promise<Answered>
  post(path: string, body: unknown, token?: string): Promise<Answered>
  put(path: string, body: unknown, headers?: Record<string, string>, token?: string): Promise<Answered>
  remove(path: string, token?: string): Promise<Answered>
  /** All rows of a list; checks that its pages fit together. */
  allOf(path: string, plural: string, token?: string): Promise<Body[]>
  nowText(): string
}

export const outcome = ({ status, body }: Answered) => ({ status, code: body.code })

/** Such as `403 permission_needed`, or `200`. */
export const answerCode = ({ status, body }: Answered): string =>
  body.code === undefined ? `${status}` : `${status} ${body.code}`

/** On the shared server, unless another one is given. */
export async function openTenant(own: World | null = null): Promise<Tenant> {
  const world = own ?? (await sharedWorld())
  const game = await makeGame(world)
  const get: Tenant['get'] = (path, token = game.token) => world.call('GET', path, { token })
  return {
    world,
    game,
    operator: await tokenOf(world, world.operator),
    get,
    post: (path, body, token = game.token) => world.call('POST', path, { token, body }),
    put: (path, body, headers = {}, token = game.token) => world.call('PUT', path, { token, body, headers }),
    remove: (path, token = game.token) => world.call('DELETE', path, { token }),
    allOf: (path, plural, token) => everyPage((query) => get(path + query, token), plural),
    nowText: () => new Date(world.clock.nowMs).toISOString(),
  }
}

async function everyPage(get: (query: string) => Promise<Answered>, plural: string): Promise<Body[]> {
  const longest = must(await get(`?limit=${LIMIT_MAX}`), 200)
  expect(Object.keys(longest)).to.deep.equal([plural, 'count', 'offset', 'limit', 'next_offset'])
  const rows: Body[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const page = must(await get(`?limit=7&offset=${offset}`), 200)
    expect([page.count, page.offset, page.limit]).to.deep.equal([longest.count, offset, 7])
    rows.push(...page[plural])
    offset = page.next_offset
  }
  expect(rows).to.have.length(longest.count)
  expect(rows.slice(0, LIMIT_MAX)).to.deep.equal(longest[plural])
  return rows
}
