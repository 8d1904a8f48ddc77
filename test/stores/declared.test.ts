// What the embedded read models make of the declaration of a collection.

import { expect } from 'chai'
import { entries } from '../../projections/entries.ts'
import { players } from '../../projections/players.ts'
import { declaredOf } from '../../stores/embedded/views-schema.ts'

/** As version 0.2.0 wrote them to the register: with other texts the next start moves every row to a new table. */
const ENTRIES = {
  indexes:
    '"indexes":{"rank":["ranking","member"],"oldest":["ranking","updated","member"],' +
    '"newest":["ranking","-updated","member"],"player":["player","ranking","ofPlayer"],"lookup":["lookup"]}',
  distinct: '"distinct":["ranking","member"]',
  ranking: '"ranking":{"byRank":"rank","byTime":"oldest"}',
  fewTies: '"fewTies":["lookup","player"]',
  strings:
    '"strings":{"added":"time","ranking":"term","member":"text","updated":"time","player":"text","ofPlayer":"text",' +
    '"lookup":"text"}',
}
const PLAYERS =
  '{"indexes":{"game":["listed","created"],"due":["bannedUntil"],"deleted":["deletedAt"]},"nestedFields":["state"],' +
  '"strings":{"listed":"term","created":"time","bannedUntil":"time","deletedAt":"time"}}'

describe('what the embedded register keeps of a collection', () => {
  it('is what version 0.2.0 wrote for entries and players, so that their tables stay', () => {
    const [own] = entries.collections
    const [ofPlayers] = players.collections
    if (own === undefined || ofPlayers === undefined) throw new Error('there are no collections')
    const { ranking, ...inFile } = ENTRIES
    const all = Object.values(ENTRIES).join()
    expect(JSON.stringify(declaredOf(own, { ranksInFile: false }))).to.equal(`{${all}}`)
    expect(JSON.stringify(declaredOf(own, { ranksInFile: true }))).to.equal(`{${Object.values(inFile).join()}}`)
    expect(ranking).to.include('byTime')
    expect(JSON.stringify(declaredOf(ofPlayers, { ranksInFile: false }))).to.equal(PLAYERS)
  })
})
