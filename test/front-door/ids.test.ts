// An id must match exactly: every id in paths, queries, bodies, headers and realtime events, spoiled with characters
// that no id has. SQLite cuts text at a NUL character, so such an id once matched the text before it.

import { expect } from 'chai'
import { CLIENT_EVENTS } from '../../realtime/events.ts'
import { goodCall, makeSampleGame, nameOf, pathOf, SAMPLES, type SampleGame, TABLE } from '../security/samples.ts'
import type { Sent } from './http-client.ts'
import { must, openWorld, type World } from './world.ts'

/** Added after or before an id, as encoded in a path or query. */
const SPOILED = ['%00', '%00x', '%01', '%0A', '%20', '%7F', '%C2%80', '%E2%80%8B', '%2F', '.', ':', '*', '~']

const ID = 'aaaaaaaaaaaaaaaaaaaaaaaa'

describe('ids with characters that no id has', () => {
  let world: World
  let sampleGame: SampleGame
  before(async () => {
    world = await openWorld()
    sampleGame = await makeSampleGame(world, 'spoiled')
  })
  after(() => world.close())

  /** The number of events caused by callers. Rebuilds continue by themselves. */
  const events = async () => {
    const path = `/api/gm/${sampleGame.game.id}/events/`
    const lines = (await world.call('GET', path, { token: sampleGame.game.token })).text.split('\n')
    return lines.filter((line) => !/"Leaderboard(?:HistoryFolded|Slice|RulesChanged)/.test(line)).length
  }
  const codeOf = async (method: string, path: string, sent: Sent) => {
    const { status, body } = await world.call(method, path, sent)
    return `${status} ${body?.code}`
  }

  for (const route of TABLE.filter(({ path }) => path.includes(':'))) {
    it(`answers ${nameOf(route)} with 404 for each spoiled part of the path, and records nothing`, async () => {
      const sample = SAMPLES[nameOf(route)] ?? expect.fail(`there is no sample of ${nameOf(route)}`)
      const params = (await sample.params?.(sampleGame)) ?? {}
      const token = sample.asPlayer ? sampleGame.guest.token : sampleGame.game.token
      const sent: Sent = { ...(sample.sent === undefined ? { token } : {}), ...(await goodCall(sample, sampleGame)) }
      const before = await events()
      for (const name of Object.keys(params).filter((one) => one !== '?')) {
        for (const spoil of SPOILED) {
          for (const spoiled of [`${params[name]}${spoil}`, `${spoil}${params[name]}`]) {
            const path = pathOf(route, { ...params, [name]: spoiled })
            expect([path, await codeOf(route.method, path, sent)]).to.deep.equal([path, '404 not_found'])
          }
        }
      }
      expect(await events()).to.equal(before)
    })
  }

  it('answers 400 for a spoiled id in a query', async () => {
    const { game, board, bucket, player } = sampleGame
    const { token } = game
    for (const [path, name] of [
      [`/api/lb/${board}/score/`, 'player'],
      [`/api/lb/${board}/score/`, 'around'],
      [`/api/lb/${board}/history/`, 'player'],
      [`/api/gm/${game.id}/events/`, 'player'],
      [`/api/gm/${game.id}/events/`, 'board'],
      [`/api/gm/${game.id}/events/`, 'from'],
      [`/api/bkt/${bucket}/explain/?path=/`, 'player'],
    ] as const) {
      for (const spoil of SPOILED) {
        const spoiled = `${path}${path.includes('?') ? '&' : '?'}${name}=${player}${spoil}`
        expect([spoiled, await codeOf('GET', spoiled, { token })]).to.deep.equal([spoiled, '400 malformed'])
      }
    }
  })

  it('answers 400 for a spoiled id in a body', async () => {
    const { game, board, player } = sampleGame
    const { token } = game
    const before = await events()
    for (const spoil of SPOILED.map(decodeURIComponent)) {
      const submitted = { token, body: { score: '1', player: `${player}${spoil}` } }
      expect(await codeOf('POST', `/api/lb/${board}/score/`, submitted)).to.equal('400 malformed')
      const ticket = { token, body: { player: `${player}${spoil}` } }
      expect(await codeOf('POST', `/api/gm/${game.id}/player/ticket/`, ticket)).to.equal('400 malformed')
    }
    expect(await events()).to.equal(before)
  })

  it('answers 400 for a spoiled prefix in X-API-Key, and a challenge for an unknown one', async () => {
    const path = '/api/auth/jwt/challenge/'
    for (const spoil of [' x', ',x', '.', ':', '*', '\u00e9', '\t1']) {
      const headers = { 'x-api-key': `${sampleGame.key.prefix}${spoil}` }
      expect(await codeOf('POST', path, { headers })).to.equal('400 malformed')
    }
    must(await world.call('POST', path, { headers: { 'x-api-key': `${sampleGame.key.prefix}x` } }), 200)
  })

  it('refuses a spoiled id in every client event of the realtime server', () => {
    const sent = {
      join: { room: ID },
      leave: { room: ID },
      send: { room: ID, data: 1, to: ID },
      watch: { leaderboard: ID },
      unwatch: { leaderboard: ID },
    }
    for (const [event, body] of Object.entries(sent)) {
      const schema = CLIENT_EVENTS[event as keyof typeof sent]
      expect(schema.safeParse(body).success, event).to.equal(true)
      for (const name of Object.keys(body).filter((one) => one !== 'data')) {
        for (const spoil of SPOILED.map(decodeURIComponent)) {
          expect(schema.safeParse({ ...body, [name]: `${ID}${spoil}` }).success, `${event} ${name}`).to.equal(false)
        }
      }
    }
  })
})
