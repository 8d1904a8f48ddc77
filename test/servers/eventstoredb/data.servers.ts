// Storage of the log: in memory only, or in a file that survives the server.

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient } from '@eventstore/db-client'
import { expect } from 'chai'
import { startEventStore } from './server.ts'
import { all, anEvent, events, newStream, revisions, served } from './under-test.ts'

describe('eventstoredb test server: where its log is kept', () => {
  const isInMemory = async (port: number): Promise<unknown> => {
    const options = (await (await fetch(`http://127.0.0.1:${port}/info/options`)).json()) as {
      name: string
      value: string
    }[]
    return options.find(({ name }) => name === 'MemDb')?.value
  }

  describe('in memory only', () => {
    const test = served({ inMemory: true })

    it('loses everything at a restart, and reports that it is in memory', async () => {
      const stream = newStream()
      await test.client.appendToStream(stream, events(2))
      expect(await isInMemory(test.server.port)).to.equal('True')
      await test.server.restart({ by: 'stop' })
      const { nextExpectedRevision } = await test.client.appendToStream(stream, anEvent(), {
        expectedRevision: 'no_stream',
      })
      expect(nextExpectedRevision).to.equal(0n)
    })
  })

  it('keeps the log in a file for another server, and ignores a truncated last line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'eventstore-'))
    const dataFile = join(folder, 'log')
    const first = await startEventStore({ dataFile })
    const client = EventStoreDBClient.connectionString(first.url)
    const stream = newStream()
    const list = events(2)
    const one = await client.appendToStream(stream, list, { expectedRevision: 'no_stream' })
    await client.appendToStream(stream, [])
    await client.appendToStream(stream, anEvent())
    const before = await all(client.readAll())
    await first.stop()
    appendFileSync(dataFile, '{"at":99,"stream":"cut')
    const second = await startEventStore({ dataFile })
    const other = EventStoreDBClient.connectionString(second.url)
    expect(await all(other.readAll())).to.deep.equal(before)
    expect(await other.appendToStream(stream, list, { expectedRevision: 'no_stream' })).to.deep.equal(one)
    await other.appendToStream(stream, anEvent(), { expectedRevision: 2n })
    await second.restart()
    expect(await revisions(other.readStream(stream))).to.deep.equal([0, 1, 2, 3])
    expect(await isInMemory(second.port)).to.equal('False')
    await second.stop()
    const third = await startEventStore({ dataFile })
    expect(await revisions(EventStoreDBClient.connectionString(third.url).readStream(stream))).to.deep.equal([
      0, 1, 2, 3,
    ])
    await third.stop()
    rmSync(folder, { recursive: true })
  })
})
