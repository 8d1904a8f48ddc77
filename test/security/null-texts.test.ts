// What a client sends for a value that it does not have, such as the text `null`: it names nothing.

import { expect } from 'chai'
import type { Route } from '../../http/route.ts'
import { keyToken } from '../front-door/game-fixtures.ts'
import { answerCode } from '../front-door/tenant.ts'
import { must, openWorld, tokenOf, type World } from '../front-door/world.ts'
import { goodCall, makeSampleGame, nameOf, pathOf, SAMPLES, type SampleGame, TABLE } from './samples.ts'

const UNKNOWN_ID = 'a'.repeat(24)
const TEXTS = ['null', 'undefined', 'NaN', 'None', 'false', '0', '-']
const PARAMETER = /:(\w+)/g

describe('the text null, and others of values that a client does not have', () => {
  let world: World
  let sampleGame: SampleGame
  let tokens: readonly string[]

  before(async () => {
    world = await openWorld()
    sampleGame = await makeSampleGame(world, 'game')
    const everything = await keyToken(world, sampleGame.game, { permissions: ['*', '*:*', '*:*:*', '*:*:*:*'] })
    tokens = [await tokenOf(world, world.operator), everything, sampleGame.guest.token]
  })
  after(() => world.close())

  const parameters = ({ path }: Route) => [...path.matchAll(PARAMETER)].map(([, name = '']) => name)

  for (const route of TABLE.filter((one) => parameters(one).length > 0)) {
    it(`name nothing in the path of ${nameOf(route)}`, async () => {
      const sample = SAMPLES[nameOf(route)]
      if (sample === undefined) throw new Error('no sample')
      const own = (await sample.params?.(sampleGame)) ?? {}
      const sent = await goodCall(sample, sampleGame)
      const outcome = async (token: string, name: string, text: string) => {
        const path = pathOf(route, { ...own, [name]: text })
        return answerCode(await world.call(route.method, path, { ...sent, token }))
      }
      for (const token of tokens) {
        for (const name of parameters(route)) {
          const unknown = await outcome(token, name, UNKNOWN_ID)
          expect(unknown, name).to.match(/^4/)
          for (const text of TEXTS) {
            expect([name, text, await outcome(token, name, text)]).to.deep.equal([name, text, unknown])
          }
        }
      }
    })
  }

  it('are no credentials', async () => {
    const path = `/api/gm/${sampleGame.game.id}`
    for (const text of TEXTS) {
      const answers = [
        await world.call('GET', `${path}/`, { token: text }),
        await world.call('POST', `${path}/player/guest/`, {
          token: sampleGame.client,
          body: { guest_token: text },
        }),
        await world.call('POST', `${path}/player/refresh/`, { body: { refresh_token: text } }),
        await world.call('POST', `${path}/player/ticket/redeem/`, { token: sampleGame.client, body: { ticket: text } }),
        await world.call('POST', '/api/console/redeem/', { body: { code: text } }),
      ]
      expect([text, ...answers.map(answerCode)]).to.deep.equal([
        ...[text, '401 token_rejected'],
        ...Array(4).fill('401 sign_in_rejected'),
      ])
    }
  })

  it('are origins only as null, only where a game allows it, and only for that game', async () => {
    const { game } = sampleGame
    const other = await makeSampleGame(world, 'other')
    const allowed = async (of: SampleGame, origin: string) => {
      const answer = await world.call('GET', `/api/gm/${of.game.id}/`, { token: of.game.token, headers: { origin } })
      return answer.headers['access-control-allow-origin'] ?? null
    }
    const set = (origins: unknown[]) =>
      world.call('PUT', `/api/gm/${game.id}/`, { token: game.token, body: { cors_origins: origins } })
    expect(await allowed(sampleGame, 'null')).to.equal(null)
    for (const text of [null, ...TEXTS.filter((one) => one !== 'null'), 'NULL', 'null/', '"null"']) {
      expect([text, answerCode(await set([text]))]).to.deep.equal([text, '400 malformed'])
    }
    must(await set(['null']), 200)
    expect([await allowed(sampleGame, 'null'), await allowed(other, 'null')]).to.deep.equal(['null', null])
    for (const origin of ['NULL', '"null"', 'https://null', 'file://', 'undefined']) {
      expect([origin, await allowed(sampleGame, origin)]).to.deep.equal([origin, null])
    }
    must(await set([]), 200)
    expect(await allowed(sampleGame, 'null')).to.equal(null)
  })
})
