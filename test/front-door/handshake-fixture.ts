// A game with a key of each algorithm, and helpers for tests of the handshake.

import { expect } from 'chai'
import { type MadeGame, makeGame, makeKey } from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { sharedWorld } from './shared.ts'
import { must, requestChallenge, type Signer, type World } from './world.ts'

export interface HandshakeFixture {
  readonly world: World
  readonly game: MadeGame
  readonly hmac: Signer
  readonly edwards: Signer
  /** With the names of their algorithms. */
  readonly both: readonly (readonly [string, Signer])[]
  challengeFor(signer: Signer): Promise<Body>
}

export async function openHandshakeFixture(): Promise<HandshakeFixture> {
  const world = await sharedWorld()
  const game = await makeGame(world)
  const hmac = await makeKey(world, game)
  const edwards = await makeKey(world, game, { algorithm: 'ed25519' })
  return {
    ...{ world, game, hmac, edwards },
    both: [
      ['hmac-sha256', hmac],
      ['ed25519', edwards],
    ],
    challengeFor: async (signer) => must(await requestChallenge(world, signer.prefix), 200),
  }
}

export function refusedWith(answer: Answered, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).to.deep.equal({ status, code })
  expect(answer.headers['content-type']).to.equal('application/problem+json')
}
