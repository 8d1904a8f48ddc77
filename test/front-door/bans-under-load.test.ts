// Bans and deletions while others submit and read, on every node: no read that begins after the ban is answered shows
// the player, by any query, and after the unban each shows them again. One round in `npm test`.

import { expect } from 'chai'
import { sized } from '../seeds.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import {
  clientToken,
  type Guest,
  keyToken,
  type MadeGame,
  makeBoard,
  makeGame,
  makePlayer,
  signInGuest,
} from './game-fixtures.ts'
import type { Answered } from './http-client.ts'
import { openServerNodes } from './server-nodes.ts'
import { must, openWorld, type World } from './world.ts'

const OTHERS = 5
/** So many that the view of entries takes longer to hide them than an answer takes to arrive. */
const ENTRIES = ON_SERVERS ? 100 : sized(300, 1_500)
const ROUNDS = sized(1, ON_SERVERS ? 2 : 4)
/** Better than all later submissions. */
const BEST = '9'
/** Answers a read may get while the views advance. */
const MOVING = new Set(['views_moving', 'rankings_filling'])

interface Pair {
  readonly a: World
  readonly b: World
  close(): Promise<void>
}

interface Read {
  readonly path: string
  /** Whether the read is about the player and shows them when they are not banned. */
  readonly shows: boolean
}

describe('bans and deletions of players under load', () => {
  let nodes: Pair
  let game: MadeGame
  let guest: Guest
  let client: string
  /** A token of another key than the one that bans, so that no read waits for its own writes. */
  let reader: string
  let boards: readonly string[]
  let others: readonly string[]

  before(async () => {
    nodes = ON_SERVERS ? await openServerNodes() : await singleNode()
  })
  after(() => nodes.close())

  beforeEach(async () => {
    game = await makeGame(nodes.a)
    client = await clientToken(nodes.a, game)
    reader = await keyToken(nodes.a, game)
    guest = await signInGuest(nodes.a, game, client, 'Ada')
    boards = [await makeBoard(nodes.a, game), await makeBoard(nodes.a, game, { unique: false })]
    others = await Promise.all(Array.from({ length: OTHERS }, (_, n) => makePlayer(nodes.a, game, `Bo ${n}`)))
    for (const board of boards) {
      must(await submit(nodes.a, board, BEST, game.token, guest.id), 201)
      for (const player of others) must(await submit(nodes.a, board, '5', game.token, player), 201)
    }
    const [, every = ''] = boards
    await Promise.all(Array.from({ length: ENTRIES }, () => submit(nodes.a, every, BEST, game.token, guest.id)))
  })

  const submit = (node: World, board: string, score: string, token: string, player?: string) =>
    node.call('POST', `/api/lb/${board}/score/`, {
      token,
      body: { score, ...(player === undefined ? {} : { player }) },
    })
  const get = (node: World, path: string) => node.call('GET', path, { token: reader })
  const players = (what = '') => `/api/gm/${game.id}/players/${guest.id}/${what}`
  const tenants = (method: string, what = '') => nodes.a.call(method, players(what), { token: game.token })

  /** Repeats the read while the views advance, as the answer asks for. */
  async function settled(node: World, path: string): Promise<Answered> {
    for (;;) {
      const answer = await get(node, path)
      if (!MOVING.has(answer.body.code)) return answer
    }
  }

  /** Every kind of read of the boards. */
  async function reads(): Promise<Read[]> {
    const since = new Date(nodes.a.clock.nowMs - 60_000).toISOString()
    const of = async (board: string): Promise<Read[]> => {
      const own = must(await settled(nodes.a, `/api/lb/${board}/score/?player=${guest.id}&limit=1&order=oldest`), 200)
      const shown = [
        ...['?limit=100', '?limit=100&order=oldest'],
        ...[`?limit=100&since=${since}`, `?limit=100&since=${since}&window=best`],
        ...['?player_name=ada', `?player=${guest.id}`, `?player=${guest.id}&since=${since}`, `?around=${guest.id}`],
      ]
      const hidden = [
        ...['?limit=100&order=worst', '?limit=100&order=newest', '?min_score=1&limit=3', '?limit=2&offset=1'],
        `?around=${others[0]}`,
      ]
      return [
        ...shown.map((query) => ({ path: `/api/lb/${board}/score/${query}`, shows: true })),
        ...hidden.map((query) => ({ path: `/api/lb/${board}/score/${query}`, shows: false })),
        { path: `/api/score/${own.scores[0].id}/`, shows: true },
      ]
    }
    return (await Promise.all(boards.map(of))).flat()
  }

  const showsPlayer = (path: string, { text, body }: Answered): boolean =>
    text.includes(guest.id) || (path.includes(`around=${guest.id}`) && (body.player_rank ?? null) !== null)

  /** Ranks have no gaps, and the list is as long as the count says. */
  function expectComplete(path: string, { status, body }: Answered): void {
    if (status !== 200 || !path.includes('limit=100') || path.includes('order=')) return
    const ranks = body.scores.map(({ rank }: { rank: number }) => rank)
    expect(ranks, path).to.deep.equal(ranks.map((_: number, n: number) => n + 1))
    expect(body.scores.length, path).to.equal(Math.min(body.count, 100))
  }

  /** Reads all paths on every node, repeating answers of advancing views; returns those that show the player. */
  async function showing(all: readonly Read[]): Promise<string[]> {
    const checks = [nodes.a, nodes.b].flatMap((node, at) =>
      all.map(async ({ path }) => {
        const name = 'ab'[at]
        const answer = await settled(node, path)
        expect([200, 404], answer.text).to.include(answer.status)
        expectComplete(path, answer)
        return showsPlayer(path, answer) ? `${name} ${path}` : null
      }),
    )
    return (await Promise.all(checks)).filter((path) => path !== null)
  }

  async function underLoad(work: () => Promise<void>): Promise<void> {
    let isOver = false
    const loops = [nodes.a, nodes.b].flatMap((node) =>
      boards.flatMap((board) => [
        loop((n) => submit(node, board, `${n % 7}`, game.token, others[n % OTHERS])),
        loop((n) => submit(node, board, `${n % 9}`, guest.token)),
        loop((n) => submit(node, board, `${n % 9}`, game.token, guest.id)),
      ]),
    )
    async function loop(send: (n: number) => Promise<Answered>): Promise<void> {
      for (let n = 0; !isOver; n++) {
        const { status, text } = await send(n)
        expect([200, 201, 401, 403, 422], text).to.include(status)
      }
    }
    try {
      await work()
    } finally {
      isOver = true
      await Promise.all(loops)
    }
  }

  it('hides a banned player from every read that starts after the ban is answered, and shows them again after the unban', async () => {
    const all = await reads()
    const shown = all.filter(({ shows }) => shows).flatMap(({ path }) => [`a ${path}`, `b ${path}`])
    await underLoad(async () => {
      for (let round = 0; round < ROUNDS; round++) {
        must(await tenants('POST', 'ban/'), 200)
        expect(await showing(all)).to.deep.equal([])
        expect(await showing(all)).to.deep.equal([])
        must(await tenants('POST', 'unban/'), 200)
        expect(await showing(all)).to.include.members(shown)
      }
    })
  }).timeout(120_000)

  it('hides a deleted player for ever from every read that starts after the deletion is answered', async () => {
    const all = await reads()
    await underLoad(async () => {
      must(await tenants('DELETE'), 200)
      for (let round = 0; round < ROUNDS; round++) expect(await showing(all)).to.deep.equal([])
    })
    expect(await showing(all)).to.deep.equal([])
  }).timeout(120_000)
})

async function singleNode(): Promise<Pair> {
  const world = await openWorld()
  return { a: world, b: world, close: () => world.close() }
}
