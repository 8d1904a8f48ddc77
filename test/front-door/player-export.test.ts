// Everything recorded about one player as JSON, with which the tenant answers an access request.

import { expect } from 'chai'
import type { z } from 'zod'
import { sha256 } from '../bytes.ts'
import { nameOf, TABLE } from '../security/samples.ts'
import { type FilesFixture, openFilesFixture } from './files/files-fixture.ts'
import { makeBoard } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openSignInApi, PASSWORD, type SignInApi } from './sign-in-api.ts'
import { answerCode, openTenant } from './tenant.ts'
import { must, openWorld, type World } from './world.ts'

const ROUTE = 'GET /api/gm/:game/players/:player/export/'
const shape = TABLE.find((route) => nameOf(route) === ROUTE)?.answers[200] as z.ZodType
const SUBMISSIONS = 450

describe('the export of a player', () => {
  let world: World
  let fixture: FilesFixture
  let game: string
  let path: string
  let player: string
  let token: string
  let boards: { best: string; all: string }
  let record: Body
  let text: string

  before(async function () {
    this.timeout(60_000)
    world = await openWorld()
    fixture = await openFilesFixture(world)
    game = fixture.game.id
    await play()
    const answer = await fixture.get(path)
    record = must(answer, 200)
    text = answer.text
  })
  after(() => world.close())

  async function play(): Promise<void> {
    const { post, put, game: made } = fixture
    const sent = { login: 'Subject.One', password: PASSWORD, email: 'subject@example.com', name: 'First Name' }
    const registered = must(
      await world.call('POST', `/api/gm/${game}/player/register/`, { token: fixture.client, body: sent }),
      201,
    )
    token = registered.token
    player = registered.player.id
    path = `/api/gm/${game}/players/${player}/export/`
    boards = { best: await makeBoard(world, made), all: await makeBoard(world, made, { unique: false, name: 'All' }) }
    const submit = (board: string, body: object) => post(`/api/lb/${board}/score/`, body, token)
    must(await submit(boards.best, { score: '10', extra_data: { note: 'superseded' } }), 201)
    must(await submit(boards.best, { score: '12.5', player_name: 'Stage Name' }), 200)
    const submissions = Array.from({ length: SUBMISSIONS }, (_, n) => {
      return { leaderboard: boards.all, player, score: String(n + 1), extra_data: { turn: n + 1 } }
    })
    const { results } = must(await post(`/api/gm/${game}/scores/`, { submissions }, made.token), 200)
    expect(results.filter(({ status }: Body) => status !== 201)).to.deep.equal([])
    const doomed = must(await submit(boards.all, { score: '0', extra_data: { note: 'deleted later' } }), 201)
    must(await fixture.remove(`/api/score/${doomed.submitted}/`), 200)
    must(await put(`/api/gm/${game}/players/${player}/`, { name: 'Second Name' }), 200)
    must(await post(`/api/gm/${game}/players/${player}/ban/`, { reason: 'played by a program' }), 200)
    must(await post(`/api/gm/${game}/players/${player}/unban/`, {}), 200)
    await fixture.freshBucket()
    must(await fixture.mkdir('/drawings/', token), 201)
    must(await fixture.upload('/drawings/kept.png', 'kept bytes', token), 200)
    must(await fixture.upload('/drawings/removed.png', 'removed bytes', token), 200)
    must(await fixture.unlink('/drawings/removed.png', token), 200)
    must(await fixture.begin('/drawings/coming.png', 7, token), 201)
    // Data of another player, which must not be in the export.
    must(await post(`/api/lb/${boards.best}/score/`, { score: '99' }, fixture.ada.token), 201)
    must(await fixture.upload('/others.txt', 'other bytes', fixture.ada.token), 200)
  }

  it('has the shape that the OpenAPI document names, and no other fields', () => {
    expect(shape.parse(record)).to.deep.equal(record)
  })

  it('contains the player, login and mail address, and how they sign in', () => {
    expect(record.player).to.deep.include({ id: player, name: 'Second Name', guest: false, banned: null })
    expect(record.exported.game).to.equal(game)
    expect(record.sign_in).to.deep.equal({
      login: 'Subject.One',
      has_password: true,
      email: 'subject@example.com',
      email_confirmed: false,
      external_id: null,
      has_guest_token: false,
    })
    expect(record.names.map(({ name }: Body) => name)).to.deep.equal(['First Name', 'Second Name'])
    expect(record.sessions).to.have.length(1)
  })

  it('contains bans with their reason', () => {
    const bans = record.bans.map(({ banned, reason }: Body) => [banned, reason])
    expect(bans).to.deep.equal([
      [true, 'played by a program'],
      [false, null],
    ])
  })

  it('contains every entry and submission on every leaderboard, also superseded and deleted ones', () => {
    const best = record.entries.filter(({ leaderboard }: Body) => leaderboard === boards.best)
    expect(best.map(({ score, player_name }: Body) => [score, player_name])).to.deep.equal([['12.5', 'Stage Name']])
    expect(record.entries).to.have.length(1 + SUBMISSIONS)
    expect(record.submissions).to.have.length(2 + SUBMISSIONS + 1)
    expect(record.submissions[0]).to.deep.include({ score: '10', extra_data: { note: 'superseded' } })
    const all = record.submissions.filter(({ leaderboard }: Body) => leaderboard === boards.all)
    expect(all.map(({ extra_data: { turn, note } }: Body) => turn ?? note)).to.deep.equal([
      ...Array.from({ length: SUBMISSIONS }, (_, n) => n + 1),
      'deleted later',
    ])
    expect(record.deleted_scores).to.have.length(1)
    expect(record.deleted_scores[0]).to.deep.include({ leaderboard: boards.all, with_all_before: false })
  })

  it('contains files with the call that answers a link to their bytes, folders, and open uploads', async () => {
    expect(record.folders.map(({ path }: Body) => path)).to.deep.equal(['/drawings/'])
    expect(record.files.map(({ path }: Body) => path)).to.deep.equal(['/drawings/kept.png'])
    const link = must(await fixture.get(record.files[0].download), 200)
    expect(link.sha256 ?? sha256('kept bytes')).to.equal(sha256('kept bytes'))
    expect(record.uploads.map(({ path, size }: Body) => [path, size])).to.deep.equal([['/drawings/coming.png', 7]])
  })

  it('contains every event about the player in log order, also of what was deleted', () => {
    const positions = record.events.map(({ position }: Body) => position)
    expect(positions).to.deep.equal([...positions].sort())
    const count = (type: string) => record.events.filter((event: Body) => event.type === type).length
    const types = ['PlayerCreated', 'PlayerNamed', 'ScoreSubmitted', 'ScoreDeleted', 'FileStored', 'FileDeleted']
    expect(types.map(count)).to.deep.equal([1, 1, SUBMISSIONS + 3, 1, 2, 1])
  })

  it('contains no password hash, token or secret, and nothing of another player', () => {
    for (const secret of ['$argon2', PASSWORD, token, '"secret"', 'others.txt', fixture.ada.id]) {
      expect([secret, text.includes(secret)]).to.deep.equal([secret, false])
    }
  })

  it('answers 404 for a player of another game and for a deleted one', async () => {
    const other = await openTenant(world)
    const elsewhere = `/api/gm/${other.game.id}/players/${player}/export/`
    expect(answerCode(await other.get(elsewhere))).to.equal('404 player_not_found')
    must(await fixture.remove(`/api/gm/${game}/players/${fixture.bob.id}/`), 200)
    const gone = await fixture.get(`/api/gm/${game}/players/${fixture.bob.id}/export/`)
    expect(answerCode(gone)).to.equal('404 player_not_found')
  })
})

describe('the export of players with other sign-in methods', () => {
  let world: World
  let api: SignInApi
  before(async () => {
    world = await openWorld()
    api = await openSignInApi(world)
  })
  after(() => world.close())

  const exported = async (player: string): Promise<Body> => {
    const path = `/api/gm/${api.game.id}/players/${player}/export/`
    return must(await world.call('GET', path, { token: api.game.token }), 200)
  }

  it('shows a guest without scores with empty sections and a guest token', async () => {
    const { player } = must(await api.post('guest', {}), 201)
    const record = await exported(player.id)
    expect(shape.parse(record)).to.deep.equal(record)
    expect(record.sign_in).to.deep.include({ login: null, email: null, has_guest_token: true })
    expect([record.entries, record.submissions, record.files, record.uploads]).to.deep.equal([[], [], [], []])
  })

  it('shows a confirmed mail address, and an external id', async () => {
    const email = 'code@example.com'
    const { player } = must(await api.post('code/verify', { email, code: await api.code(email) }), 201)
    expect((await exported(player.id)).sign_in).to.deep.include({ email, email_confirmed: true, login: null })
    const ticket = await api.ticket({ external_id: 'ext-17', name: 'Known' })
    const known = must(await api.post('ticket/redeem', { ticket }), 200)
    expect((await exported(known.player.id)).sign_in.external_id).to.equal('ext-17')
  })
})
