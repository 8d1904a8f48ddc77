// Which texts are keys of leaderboards; and given what happened to a key, when a command comes, then these events
// follow.

import { expect } from 'chai'
import { type BoardKeyEvent, boardKey, claimKey, hasIdForm, isBoardKey, releaseKey } from '../../domain/board-key.ts'
import { given } from './given.ts'

const ID = 'k3vq2mzt5wx4bn6r7yjhdfga'

describe('the form of a leaderboard’s key', () => {
  it('is 2 to 63 characters of a-z, 0-9 and hyphens that begin with a letter', () => {
    for (const key of ['ab', 'a1', 'a-', 'weekly', 'level-3-fastest', `a${'9'.repeat(62)}`]) {
      expect([key, isBoardKey(key)]).to.deep.equal([key, true])
    }
    const wrong = [
      '',
      'a',
      '1a',
      '-a',
      'A1',
      'aB',
      'a_b',
      'a.b',
      'a b',
      'ä1',
      'ab\n',
      'ab:c',
      'a*',
      `a${'9'.repeat(63)}`,
    ]
    for (const key of wrong) expect([key, isBoardKey(key)]).to.deep.equal([key, false])
  })

  it('is never the form of an id: 24 characters of a-z and 2-7', () => {
    expect([hasIdForm(ID), isBoardKey(ID)]).to.deep.equal([true, false])
    for (const key of [
      ID.slice(0, 23),
      `${ID}a`,
      `${ID.slice(0, 23)}8`,
      `${ID.slice(0, 23)}-`,
      `${ID.slice(0, 23)}1`,
    ]) {
      expect([key, hasIdForm(key), isBoardKey(key)]).to.deep.equal([key, false, true])
    }
    expect([hasIdForm(ID.toUpperCase()), hasIdForm(`2${ID.slice(1)}`)]).to.deep.equal([false, true])
  })
})

const claimed: BoardKeyEvent = { type: 'LeaderboardKeyClaimed', data: { board: 'b1', claim: 'c1' } }
const claimedAgain: BoardKeyEvent = { type: 'LeaderboardKeyClaimed', data: { board: 'b1', claim: 'c2' } }
const released: BoardKeyEvent = { type: 'LeaderboardKeyReleased', data: { board: 'b1', claim: 'c1' } }
const others = { board: 'b2', claim: 'c3' }

describe('the key of a leaderboard', () => {
  it('is claimed by one leaderboard, which the refusal of another names', () => {
    given(boardKey).when(claimKey(claimed.data)).then(claimed)
    given(boardKey, claimed).when(claimKey(others)).refused('conflict', 'leaderboard_key_taken', { leaderboard: 'b1' })
  })

  it('gets another claim by a later call of its leaderboard, which a release of the earlier one leaves', () => {
    given(boardKey, claimed).when(claimKey(claimedAgain.data)).then(claimedAgain)
    given(boardKey, claimed, claimedAgain)
      .when(releaseKey({ claim: 'c1' }))
      .then()
    expect(given(boardKey, claimed, claimedAgain).state()).to.deep.equal({ board: 'b1', claim: 'c2' })
  })

  it('is free again once its claim is released', () => {
    given(boardKey, claimed)
      .when(releaseKey({ claim: 'c1' }))
      .then(released)
    given(boardKey)
      .when(releaseKey({ claim: 'c1' }))
      .then()
    given(boardKey, claimed, released).when(claimKey(others)).then({ type: 'LeaderboardKeyClaimed', data: others })
    expect(given(boardKey, claimed, released).state()).to.equal(null)
  })
})
