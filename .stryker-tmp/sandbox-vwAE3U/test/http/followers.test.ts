// How many read or follow histories on a node at a time.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { Refusal } from '../../domain/decider.ts'
import { FOLLOWERS_MAX, FOLLOWERS_OF_A_GAME_MAX, Followers } from '../../http/routes/followers.ts'

const codeOf = (enter: () => unknown): string | null => {
  try {
    enter()
    return null
  } catch (why) {
    return why instanceof Refusal ? why.code : String(why)
  }
}

describe('readers of histories', () => {
  it('of one game are so many at a time, and a place that is given back twice is one', () => {
    const followers = new Followers()
    const places = Array.from({ length: FOLLOWERS_OF_A_GAME_MAX }, () => followers.enter('g1'))
    expect(codeOf(() => followers.enter('g1'))).to.equal('too_many_followers')
    expect(codeOf(() => followers.enter('g2'))).to.equal(null)
    places[0]?.()
    places[0]?.()
    expect(codeOf(() => followers.enter('g1'))).to.equal(null)
    expect(codeOf(() => followers.enter('g1'))).to.equal('too_many_followers')
  })

  it('of all games together are so many', () => {
    const followers = new Followers()
    for (let n = 0; n < FOLLOWERS_MAX; n++) followers.enter(`g${n % 50}`)
    expect(codeOf(() => followers.enter('another'))).to.equal('too_many_followers')
    expect(followers.size).to.equal(FOLLOWERS_MAX)
  })
})
