// The client library's calls for the tenant's and the operator's view of a running game.

import { expect } from 'chai'
import { type Client, connect } from '../../../clients/javascript/connect.ts'
import { keyIn } from '../../../clients/javascript/key-file.ts'
import { openWorld, type World } from '../../front-door/world.ts'
import { operatorKey } from './keys.ts'

describe('the client library’s calls about a running game', () => {
  let world: World
  let operator: Client
  let server: Client
  let game: string
  before(async () => {
    world = await openWorld()
    const [baseUrl, now] = [`http://127.0.0.1:${world.port}`, () => world.clock.nowMs]
    operator = await connect({ baseUrl, key: await operatorKey(world.dataDir), now })
    const made = await operator.createGame('Quest')
    game = made.game.id
    server = await connect({ baseUrl, key: made.key, now })
  })
  after(() => world.close())

  it('list the rooms, and get a ticket to listen', async () => {
    const room = { id: 'lobby', name: 'Lobby', max_members: 8, listed: false }
    await server.changeGame(game, { realtime: { enabled: true }, fixed_rooms: [room] })
    const { rooms, count } = await server.rooms(game, { limit: 5 })
    expect(rooms).to.deep.equal([{ id: 'lobby', name: 'Lobby', members: [], max_members: 8, fixed: true }])
    expect(count).to.equal(1)
    const { ticket, expires_in } = await server.listenTicket(game)
    expect([typeof ticket, expires_in]).to.deep.equal(['string', 30])
  })

  it('list a player’s sessions and entries, and who moves under other rules', async () => {
    const board = await server.createLeaderboard(game, { name: 'High scores', ordering: 'desc' })
    const [ada, bob] = [await server.asGuest(game, { name: 'Ada' }), await server.asGuest(game, { name: 'Bob' })]
    await ada.submit(board.id, { score: '2' })
    await bob.submit(board.id, { score: '1' })
    const { sessions } = await server.sessions(game, ada.player.id)
    expect(sessions).to.have.length(1)
    expect(sessions[0]?.last_used).to.equal(sessions[0]?.created.slice(0, 10))
    const { entries } = await server.entries(game, ada.player.id)
    expect(entries.map(({ leaderboard, leaderboard_name: name, rank }) => [leaderboard, name, rank])).to.deep.equal([
      [board.id, 'High scores', 1],
    ])
    const page = await server.movers(board.id, { ordering: 'asc' }, { limit: 1, offset: 1 })
    expect(page).to.include({ changed: 2, count: 2, next_offset: null })
    expect((await server.movers(board.id, { ordering: 'asc' })).movers).to.have.length(2)
    expect(page.movers).to.have.length(1)
  })

  it('read the overview of a game', async () => {
    const { submissions, players, firsts, actions } = await server.overview(game)
    expect([submissions.hours.at(-1), players.days.at(-1)]).to.deep.equal([2, 2])
    expect(firsts.map(({ leaderboard_name: name, rank }) => [name, rank])).to.deep.equal([['High scores', 1]])
    expect(actions.at(-1)?.about).to.deep.equal({ kind: 'game', id: game, name: 'Quest' })
  })

  it('read events once, and the state of the server', async () => {
    const types: string[] = []
    for await (const { type } of server.eventsOnce(game, { limit: 2 })) types.push(type)
    expect(types).to.deep.equal(['GameCreated', 'KeyIssued'])
    const { health, parked, versions } = await operator.serverStatus()
    expect([health.status, parked.count, versions.node]).to.deep.equal(['ready', 0, process.version])
  })

  it('sign in with the text of a key file, with either spelling of the private key', () => {
    const key = { prefix: 'sk_a', privateKey: 'abc' }
    expect(keyIn('{"prefix":"sk_a","private_key":"abc","game":"g","name":"x"}')).to.deep.equal({ ...key, game: 'g' })
    expect(keyIn('{"prefix":"sk_a","privateKey":"abc"}')).to.deep.equal(key)
    expect(keyIn('{"prefix":"sk_a","secret":"s"}')).to.deep.equal({ prefix: 'sk_a', secret: 's' })
    for (const text of ['', 'null', '[]', '{"secret":"s"}', '{"prefix":"sk_a"}', '{"prefix":"sk_a","private_key":1}'])
      expect(keyIn(text), text).to.equal(null)
  })
})
