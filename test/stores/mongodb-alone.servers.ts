// The row of the single-process guard, in a real MongoDB.

import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { MongoClient } from 'mongodb'
import { openMongo } from '../../stores/mongodb/open.ts'
import { guardRow } from '../../stores/mongodb/single-process.ts'
import { type Databases, databases } from '../servers/ferretdb/database.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'

const SERVER = { version: '', isReplicated: false, answerMs: 10_000 }
const never = (reason: string) => {
  throw new Error(reason)
}

describe('the single-process guard without Redis', function () {
  this.timeout(120_000)
  let servers: Databases
  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    servers = await databases()
  })
  after(() => servers.end())

  it('updates its document by compare-and-set, so that one process wins', async () => {
    const client = await new MongoClient(servers.fresh()).connect()
    const row = guardRow(client.db(), SERVER)
    expect(await row.read()).to.equal(null)
    const racers = Array.from({ length: 8 }, (_, n) => ({ holder: `h${n}`, beat: 0 }))
    const first = await Promise.all(racers.map((one) => row.take(null, one)))
    expect(first.filter((won) => won)).to.have.length(1)
    const held = racers[first.indexOf(true)] as (typeof racers)[number]
    expect(await row.read()).to.deep.equal(held)
    expect([await row.beat({ ...held, beat: 1 }), await row.beat({ holder: 'other', beat: 2 })]).to.deep.equal([
      true,
      false,
    ])
    expect(await row.take(held, { holder: 'other', beat: 0 })).to.equal(false)
    const next = await Promise.all(racers.map((one) => row.take({ ...held, beat: 1 }, { ...one, beat: 9 })))
    expect(next.filter((won) => won)).to.have.length(1)
    await row.leave('nobody')
    expect(await row.read()).to.deep.equal({ ...racers[next.indexOf(true)], beat: 9 })
    await row.leave(racers[next.indexOf(true)]?.holder ?? '')
    expect(await row.read()).to.equal(null)
    await client.close()
  })

  it('refuses a second process without Redis, and admits it once the first has ended', async () => {
    const url = servers.fresh()
    const first = await openMongo({ url }, never)
    const outcome = await openMongo({ url }, never).then(
      () => 'opened',
      (reason: Error) => `${reason.name}: ${reason.message}`,
    )
    expect(outcome).to.match(
      /^StoresFault: The MongoDB at mongodb:\S+ is used by another process, .*set .*REDIS_URL for both$/,
    )
    await (await openMongo({ url })).close()
    await first.close()
    await (await openMongo({ url }, never)).close()
  })
})
