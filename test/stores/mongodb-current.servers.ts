// Documents in memory beside a MongoDB that other processes write to: they are never older than the checkpoint of their
// view, whatever a writer does and wherever it ends.

import { expect } from 'chai'
import { type CommandStartedEvent, MongoClient } from 'mongodb'
import type { Batch, Document, Freshness, Views, Write } from '../../stores/contract/views.ts'
import type { Entry } from '../../stores/mongodb/register-entry.ts'
import { openViews } from '../../stores/mongodb/views.ts'
import { batch, document, pos, prepareWith, viewSpec, write } from '../contracts/documents.ts'
import { type Databases, databases } from '../servers/ferretdb/database.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'

const VIEW = 'things@1'
/** That of documents without a game. */
const PARTITION = 0
const OTHER = 5

type Server = Omit<Views, 'close'>

/** Two processes on one database, and the commands on documents that the second has sent. */
interface Both {
  readonly writer: Server
  readonly reader: Server
  readonly sent: string[]
  /** The number of all commands that it has sent. */
  readonly commands: () => number
  readonly entries: () => Promise<void>
}

describe('documents in memory beside MongoDB', () => {
  let servers: Databases
  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    servers = await databases()
  })
  after(() => servers.end())

  async function both(use: (both: Both) => Promise<void>): Promise<void> {
    const url = servers.fresh()
    const clients = [new MongoClient(url), new MongoClient(url, { monitorCommands: true })] as const
    const sent: string[] = []
    let all = 0
    clients[1].on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      all += 1
      if (String(command[commandName]).startsWith('view.')) sent.push(commandName)
    })
    const [writer, reader] = clients.map((client) =>
      openViews(client.db(), { version: '7.0', isReplicated: false, answerMs: 10_000 }),
    ) as [Server, Server]
    /** Rewrites the checkpoints as earlier versions write them. */
    const entries = async () => {
      const rows = clients[0].db().collection<Entry>('views')
      await rows.updateOne({ _id: VIEW }, { $unset: { [`checkpoints.p${PARTITION}.counts`]: '' } })
    }
    try {
      await prepareWith(writer as Views, [])
      await use({ writer, reader, sent, commands: () => all, entries })
    } finally {
      for (const client of clients) await client.close()
    }
  }

  const reached = (n: number, partition = PARTITION) => [[partition, { position: pos(n), eventId: `e-${n}` }]] as const
  const added = (id: string, at: number): Write => ({ ...write(id, at, { s: `${at}` }), isNew: true })
  const currentAt =
    (freshness: Freshness) =>
    async ({ reader }: Both, id: string): Promise<Document | null> =>
      (await reader.current(VIEW, 'thing', [id], freshness))[0] ?? null
  const current = currentAt('now')
  const waited = currentAt('waited')
  const commit = ({ writer }: Both, ...batches: Batch[]) => writer.commit(batches)
  const readTwice = async (of: Both, id: string) => {
    await current(of, id)
    await current(of, id)
    of.sent.length = 0
  }

  it('are read once, and not again while events add other documents or change other partitions', () =>
    both(async (of) => {
      await commit(of, batch([added('d-1', 1)], { checkpoints: reached(1) }))
      await readTwice(of, 'd-1')
      await commit(of, batch([added('d-2', 2)], { checkpoints: reached(2) }))
      await commit(of, batch([write('d-3', 3, { s: 'x' })], { checkpoints: reached(3, OTHER) }))
      expect(await current(of, 'd-1')).to.deep.equal(document('d-1', 1, { s: '1' }))
      expect(of.sent).to.deep.equal([])
    }))

  it('are read again once a checkpoint covers a change', () =>
    both(async (of) => {
      await commit(of, batch([added('d-1', 1)], { checkpoints: reached(1) }))
      await readTwice(of, 'd-1')
      await commit(of, batch([write('d-1', 2, { s: '2' })], { checkpoints: reached(2) }))
      expect(await current(of, 'd-1')).to.deep.equal(document('d-1', 2, { s: '2' }))
      expect(of.sent).to.deep.equal(['find'])
    }))

  it('are read again if a document replaced one that its writer did not know', () =>
    both(async (of) => {
      await of.reader.commit([batch([added('d-1', 1)], { checkpoints: reached(1) })])
      await readTwice(of, 'd-1')
      await commit(of, batch([added('d-1', 2)], { checkpoints: reached(2) }))
      expect(await current(of, 'd-1')).to.deep.equal(document('d-1', 2, { s: '2' }))
    }))

  it('are read again if a change came in a batch without checkpoints, once the next one has them', () =>
    both(async (of) => {
      await commit(of, batch([added('d-1', 1)], { checkpoints: reached(1) }))
      await readTwice(of, 'd-1')
      await commit(of, batch([write('d-1', 2, { s: '2' })]))
      await commit(of, batch([], { checkpoints: reached(2) }))
      expect(await current(of, 'd-1')).to.deep.equal(document('d-1', 2, { s: '2' }))
    }))

  it('are read again if the writer ended before its checkpoint and its successor repeats the event', () =>
    both(async (of) => {
      await commit(of, batch([added('d-1', 1)], { checkpoints: reached(1) }))
      await readTwice(of, 'd-1')
      // A writer that ends here leaves no count; the successor finds the document ahead and writes nothing.
      await commit(of, batch([write('d-1', 2, { s: '2' })]))
      await current(of, 'd-1')
      await of.reader.commit([{ ...batch([], { checkpoints: reached(2) }), repeats: true }])
      expect(await current(of, 'd-1')).to.deep.equal(document('d-1', 2, { s: '2' }))
    }))

  it('are always read while a version that counts nothing writes', () =>
    both(async (of) => {
      await commit(of, batch([added('d-1', 1)], { checkpoints: reached(1) }))
      await readTwice(of, 'd-1')
      await of.entries()
      await current(of, 'd-1')
      await current(of, 'd-1')
      await waited(of, 'd-1')
      expect(of.sent).to.deep.equal(['find', 'find', 'find'])
    }))

  it('are answered without a command as of the last checkpoint read, and not after a change of this process', () =>
    both(async (of) => {
      await commit(of, batch([added('d-1', 1)], { checkpoints: reached(1) }))
      expect(await waited(of, 'd-1')).to.deep.equal(document('d-1', 1, { s: '1' }))
      await readTwice(of, 'd-1')
      const before = of.commands()
      expect(await waited(of, 'd-1')).to.deep.equal(document('d-1', 1, { s: '1' }))
      expect(of.commands()).to.equal(before)
      await commit(of, batch([write('d-1', 2, { s: '2' })], { checkpoints: reached(2) }))
      const read = await of.reader.checkpoints(VIEW, [PARTITION])
      expect(read.get(PARTITION)).to.deep.equal({ position: pos(2), eventId: 'e-2' })
      expect(await waited(of, 'd-1')).to.deep.equal(document('d-1', 2, { s: '2' }))
      await readTwice(of, 'd-1')
      await of.reader.commit([batch([write('d-1', 3, { s: '3' })], { checkpoints: reached(3) })])
      expect(await waited(of, 'd-1')).to.deep.equal(document('d-1', 3, { s: '3' }))
      expect(await current(of, 'd-1')).to.deep.equal(document('d-1', 3, { s: '3' }))
    }))

  it('include the checkpoint read before, under concurrent writes and reads', async function () {
    this.timeout(60_000)
    await both(async (of) => {
      await commit(of, batch([added('d-1', 1)], { checkpoints: reached(1) }))
      let last = 1
      const writing = (async () => {
        for (let n = 2; n <= 60; n += 1) {
          await commit(of, batch([write('d-1', n, { s: `${n}` })], { checkpoints: reached(n) }))
          last = n
        }
      })()
      const faults: string[] = []
      const check = (found: Document | null | undefined, atLeast: string, how: string) => {
        if (found !== null && (found?.pos ?? '') < atLeast) faults.push(`${how}: ${found?.pos} < ${atLeast}`)
      }
      const reading = Array.from({ length: 6 }, async () => {
        while (last < 60) {
          const written = pos(last)
          check(await current(of, 'd-1'), written, 'current')
          const { position = '' } = (await of.reader.checkpoints(VIEW, [PARTITION])).get(PARTITION) ?? {}
          check(await waited(of, 'd-1'), position, 'waited')
        }
      })
      await Promise.all([writing, ...reading])
      expect(faults).to.deep.equal([])
    })
  })

  it('are of the view that was made again', () =>
    both(async (of) => {
      await commit(of, batch([added('d-1', 1)], { checkpoints: reached(1) }))
      await readTwice(of, 'd-1')
      await of.reader.drop(VIEW)
      await of.reader.prepare(viewSpec())
      expect(await current(of, 'd-1')).to.equal(null)
      expect(await waited(of, 'd-1')).to.equal(null)
    }))
})
