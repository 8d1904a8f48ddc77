// Limits of simultaneous history readers and followers on a node.

import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import { FOLLOWERS_MAX, FOLLOWERS_OF_A_GAME_MAX, Followers } from '../../http/routes/followers.ts'

const codeOf = (enter: () => unknown): string | null => {
  try {
    enter()
    return null
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error)
  }
}

describe('limits of history readers', () => {
  it('limit the readers of one game, and count a slot that is released twice once', () => {
    const followers = new Followers()
    const slots = Array.from({ length: FOLLOWERS_OF_A_GAME_MAX }, () => followers.enter('g1'))
    expect(codeOf(() => followers.enter('g1'))).to.equal('too_many_followers')
    expect(codeOf(() => followers.enter('g2'))).to.equal(null)
    slots[0]?.()
    slots[0]?.()
    expect(codeOf(() => followers.enter('g1'))).to.equal(null)
    expect(codeOf(() => followers.enter('g1'))).to.equal('too_many_followers')
  })

  it('limit the readers of all games together', () => {
    const followers = new Followers()
    for (let n = 0; n < FOLLOWERS_MAX; n++) followers.enter(`g${n % 50}`)
    expect(codeOf(() => followers.enter('another'))).to.equal('too_many_followers')
    expect(followers.size).to.equal(FOLLOWERS_MAX)
  })
})
