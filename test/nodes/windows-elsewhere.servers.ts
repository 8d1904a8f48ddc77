// Windows from an index in a process that neither writes nor runs views, on shared stores: its answers equal those of
// the nodes that count, after any change; and a page needs one query.

import { expect } from 'chai'
import { findBoard } from '../../queries/leaderboard.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { rankedAnswer } from '../../queries/scores/entry.ts'
import { listRows, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import type { CountedReason } from '../../queries/windows/indexed.ts'
import { queryDeps } from '../../server/compose.ts'
import { indexing } from '../../server/windows.ts'
import { builtProgram } from '../crash/build.ts'
import { withStores } from '../crash/stores-of.ts'
import { type MadeGame, makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { must, type World } from '../front-door/world.ts'
import { endSharedServers } from '../servers/store-urls.ts'
import { openSideBySide, type SideBySide } from './side-by-side.ts'

const PLAYERS = 12
/** Maximum reads per page. */
const TRIES = 5
const SINCE = '2020-01-01T00:00:00.000Z'

after(endSharedServers)

describe('window counts on a node that neither writes nor projects', function () {
  this.timeout(120_000)
  let nodes: SideBySide
  let world: World
  let game: MadeGame
  before(async () => {
    builtProgram()
    nodes = await openSideBySide({ apis: 1, projectors: 1 })
    world = (nodes.apis[0] as SideBySide['apis'][number]).world
    game = await makeGame(world)
  })
  after(() => nodes.close())

  const call = async (method: string, path: string, status: number, body?: object) =>
    must(await world.call(method, path, { token: game.token, ...(body && { body }) }), status)

  for (const unique of [true, false]) {
    it(`equal those of the other nodes (${unique ? 'unique' : 'not unique'})`, () =>
      withStores({ dataDir: nodes.dataDir, storeUrls: nodes.storeUrls }, async (stores) => {
        const board = await makeBoard(world, game, { unique })
        const players = await Promise.all(Array.from({ length: PLAYERS }, () => makePlayer(world, game)))
        const ofPlayer = (n: number) => `/api/gm/${game.id}/players/${players[n]}`
        const submit = (n: number, score: number, status = 201) =>
          call('POST', `/api/lb/${board}/score/`, status, { score: String(score), player: players[n] })
        const searches: string[] = []
        const views: typeof stores.views = {
          ...stores.views,
          find: (asked) => {
            if (asked.collection === 'entries') searches.push(asked.index)
            return stores.views.find(asked)
          },
        }
        const counted: CountedReason[] = []
        const failed: unknown[] = []
        const queries = indexing(
          queryDeps({ stores: { ...stores, views } }),
          { ...stores, views },
          {
            from: -1,
            maxBytes: 2 ** 30,
            atOnce: true,
            counted: (reason) => void counted.push(reason),
            onEvent: (what, _, error) => void (what === 'failed' && failed.push(error)),
          },
        )

        /** Retries while the history is behind; each answer must be right. */
        const compare = async (shownInside: boolean) => {
          const query: ScoresQuery = { ...UNFILTERED, limit: 100, offset: 0, order: 'best', since: SINCE, shownInside }
          const path = `/api/lb/${board}/score/?limit=100&since=${SINCE}${shownInside ? '&window=best' : ''}`
          const theirs = await call('GET', path, 200)
          for (let before = -1; before !== counted.length; ) {
            before = counted.length
            searches.length = 0
            const found = await findBoard(queries, board)
            if (found === null) throw new Error('there is no such leaderboard here')
            const { rows, count } = await listRows(new BoardReader(queries, found), query)
            expect({ scores: rows.map(rankedAnswer), count }).to.deep.equal({
              scores: theirs.scores,
              count: theirs.count,
            })
          }
          // One query per page, and one more if documents changed meanwhile; never one per row.
          if (unique) expect(searches.length).to.be.within(1, TRIES)
          return Number(theirs.count)
        }
        const both = async () => [await compare(false), await compare(true)]
        try {
          const first: string[] = []
          for (let n = 0; n < PLAYERS; n++) first.push((await submit(n, n * 10)).id)
          expect(await both()).to.deep.equal([PLAYERS, PLAYERS])
          await submit(3, 1_000, unique ? 200 : 201)
          await submit(4, 1, unique ? 200 : 201)
          const entries = unique ? PLAYERS : PLAYERS + 2
          expect(await both()).to.deep.equal([entries, entries])
          await call('POST', `${ofPlayer(5)}/ban/`, 200, { reason: null })
          expect(await both()).to.deep.equal([entries - 1, entries - 1])
          await call('DELETE', `/api/score/${first[6]}/`, 200)
          await call('DELETE', `${ofPlayer(7)}/`, 200)
          expect(await both()).to.deep.equal([entries - 3, entries - 3])
          await call('POST', `${ofPlayer(5)}/unban/`, 200)
          expect(await both()).to.deep.equal([entries - 2, entries - 2])
          expect(failed).to.deep.equal([])
        } finally {
          await queries.windows.stop()
        }
      }))
  }
})
