// Tokens whose grants are equal share them in memory; no other token gets them.

import { expect } from 'chai'
import { createTokens, TOKEN_LIFETIME_S } from '../../credentials/tokens.ts'

const NOW_MS = Date.UTC(2026, 0, 1)

describe('the claims of bearer tokens', () => {
  const tokens = createTokens(new Uint8Array(32).fill(1))
  const issued = async (key: string, game: string | null, permissions: readonly string[], player: string | null) =>
    (await tokens.issue({ key, game, permissions, player, session: null }, NOW_MS)).token

  it('share the permissions of equal grants, for different players', async () => {
    const [one, other] = await Promise.all(['p1', 'p2'].map((player) => issued('k', 'g', ['a:b', 'c'], player)))
    const [first, second] = [one, other].map((token) => tokens.check(token ?? '', NOW_MS))
    expect([first?.player, second?.player]).to.deep.equal(['p1', 'p2'])
    expect(first?.permissions).to.deep.equal(['a:b', 'c'])
    expect(second?.permissions).to.equal(first?.permissions)
  })

  it('are cached for as many bytes of tokens as given, the least recently used dropped first', async () => {
    const all = await Promise.all(['p1', 'p2', 'p3'].map((player) => issued('k', 'g', ['a'], player)))
    const [bytes = 0] = all.map((token) => 2 * token.length + 256)
    const small = createTokens(new Uint8Array(32).fill(1), 2 * bytes)
    const before = all.map((token) => small.check(token, NOW_MS))
    const isCached = (n: number) => small.check(all[n] ?? '', NOW_MS) === before[n]
    expect([2, 1, 0].map(isCached)).to.deep.equal([true, true, false])
    expect(before.map((claims) => claims?.player)).to.deep.equal(['p1', 'p2', 'p3'])
  })

  it('are null from the second on in which the token expires, cached or not', async () => {
    const token = await issued('k', 'g', ['a'], 'p')
    const expiresMs = NOW_MS + TOKEN_LIFETIME_S * 1_000
    for (const nowMs of [NOW_MS, expiresMs - 1]) expect(tokens.check(token, nowMs)?.player).to.equal('p')
    for (const _ of [1, 2]) expect(tokens.check(token, expiresMs)).to.equal(null)
  })

  it('are those of each token, however much its grant is like that of another one', async () => {
    const grants: (readonly [string, string | null, readonly string[]])[] = [
      ['k', null, []],
      ['k', 'null', []],
      ['k', null, ['']],
      ['k', 'g', ['a', 'b']],
      ['k', 'g', ['a b']],
      ['k', 'g', ['b', 'a']],
      ['k g', 'a', ['b']],
      ['k', 'g a', ['b']],
      ['l', 'g', ['a', 'b']],
      ...Array.from({ length: 1_100 }, (_, n) => ['k', 'g', [`n${n}`]] as const),
    ]
    const all = await Promise.all(grants.map((grant) => issued(...grant, 'p')))
    for (const round of [1, 2]) {
      for (const [n, token] of all.entries()) {
        const { key, game, permissions } = tokens.check(token, NOW_MS) ?? {}
        expect([key, game, permissions], `round ${round}`).to.deep.equal(grants[n])
      }
    }
  })
})
