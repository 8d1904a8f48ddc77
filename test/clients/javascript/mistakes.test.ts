// What the client library answers to a call that cannot work: at once, with what to pass instead.

import { expect } from 'chai'
import { connect as connectServer } from '../../../clients/javascript/connect.ts'
import { connect as connectGame, type GameOptions } from '../../../clients/javascript/game-client.ts'
import type { ApiKey } from '../../../clients/javascript/signing.ts'

const KEY = { prefix: 'ck_a', secret: 'secret' }
const calls: string[] = []
const counted: typeof fetch = (input) => {
  calls.push(String(input))
  return Promise.reject(new TypeError('refused'))
}

/** The message of the TypeError with which it rejects; each of the two libraries has the same. */
async function mistakeOf(options: Partial<GameOptions>): Promise<string> {
  const given = { key: KEY, baseUrl: 'http://127.0.0.1:8080', fetch: counted, reconnectMs: 0, ...options }
  const messages = await Promise.all(
    [connectServer, connectGame].map(async (connect) => {
      const failure: unknown = await connect(given as GameOptions).catch((thrown: unknown) => thrown)
      expect(failure).to.be.instanceOf(TypeError)
      return (failure as TypeError).message
    }),
  )
  expect(messages[0]).to.equal(messages[1])
  return messages[0] ?? ''
}

describe('the client library, called wrongly', () => {
  beforeEach(() => calls.splice(0))

  it('refuses a base URL without a scheme, suggests one with it, and sends nothing', async () => {
    const start = (given: string) =>
      `baseUrl is ${JSON.stringify(given)}. Pass an http or https URL without user, query`
    for (const [given, suggested] of [
      ['localhost:8080', 'http://localhost:8080'],
      ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
      ['scores.example.com/games', 'http://scores.example.com/games'],
      ['ws://localhost:8080', 'http://localhost:8080'],
    ] as const) {
      expect(await mistakeOf({ baseUrl: given })).to.equal(`${start(given)} and fragment, such as "${suggested}".`)
    }
    for (const given of ['', '/games', 'http://', 'http://a b', 'http://u:p@host', 'http://host/?a=1', 'file:///etc'])
      expect(await mistakeOf({ baseUrl: given })).to.include(start(given))
    expect(calls).to.deep.equal([])
  })

  it('accepts a base URL with a path, a port and a closing slash', async () => {
    const baseUrl = 'HTTPS://scores.example.com:8443/games/'
    const options = { baseUrl, key: KEY, fetch: counted, reconnectMs: 0 }
    await connectServer(options).catch(() => {})
    expect(calls).to.deep.equal(['HTTPS://scores.example.com:8443/games/api/auth/jwt/challenge/'])
  })

  it('says what a key is where none, or the text of a file, is passed', async () => {
    for (const key of [undefined, null, {}, '{"prefix":"ck_a"}'])
      expect(await mistakeOf({ key: key as ApiKey })).to.equal(
        'connect needs a key, such as the parsed JSON of a key file: { key: { prefix, secret } }',
      )
    expect(await mistakeOf({ key: { prefix: 'ck_a' } })).to.match(/^A key needs its secret, or as privateKey/)
    expect(calls).to.deep.equal([])
  })
})
