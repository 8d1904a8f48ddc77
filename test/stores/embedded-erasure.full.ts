// The embedded stores erase text: no byte of it remains in any of their files, even while they are open.

import { fdatasync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { JsonObject, Position, StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { EmbeddedLog } from '../../stores/embedded/log.ts'
import { openLog } from '../../stores/embedded/log.ts'
import { openVault } from '../../stores/embedded/vault.ts'
import { openViews } from '../../stores/embedded/views.ts'
import type { Sync } from '../../stores/embedded/write-ahead.ts'
import { batch, viewSpec, write } from '../contracts/documents.ts'
import { appended, everything, someEvent } from '../contracts/events.ts'
import { Random } from '../random.ts'
import { pause } from '../until.ts'
import { newPath } from './folder.ts'
import { writeOldLog } from './old-log.ts'

const datasync = promisify(fdatasync)
const MARK = 'Qzxplanted'
const OWNER = { game: 'g1', player: 'p1' }

/** Number of occurrences of the marker in the file and in SQLite's files beside it. */
function marksAt(path: string): number {
  const files = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
  const bytes = files.map((name) => readFileSync(join(dirname(path), name), 'latin1')).join('\n')
  return bytes.split(MARK).length - 1
}

/** Events of several sizes, some with pages of their own. */
const planted = (n: number) =>
  someEvent({ data: { n, extra: `${MARK}-${n}`.padEnd(n % 7 === 0 ? 9_000 : 40 + n, 'é') }, meta: { player: 'p1' } })

const withoutText = ({ position, data, meta }: StoredEvent) => ({ position, data: { ...data, extra: null }, meta })

async function olderOf(log: EmbeddedLog, limit: number): Promise<StoredEvent[]> {
  const found: StoredEvent[] = []
  let after: Position | null = null
  do {
    const step = await log.erasure.olderEvents(OWNER, after, limit)
    found.push(...step.events)
    after = step.next
  } while (after !== null)
  return found
}

describe('erased text in the embedded stores', () => {
  it('is in no byte of the log after its events are rewritten and the log is purged', async () => {
    const path = newPath('log.sqlite')
    const log = await openLog(path)
    for (let n = 0; n < 50; n += 1) await appended(log, `s-${n}`, 'none', [planted(n), someEvent()])
    const before = await everything(log)
    expect(marksAt(path)).to.be.at.least(50)
    const own = before.filter(({ meta }) => meta.player === 'p1')
    await log.erasure.rewriteEvents(own.map(withoutText))
    await log.erasure.purge()
    expect(marksAt(path)).to.equal(0)
    const expected = before.map((event) => (own.includes(event) ? { ...event, ...withoutText(event) } : event))
    expect(await everything(log)).to.deep.equal(expected)
    expect(await log.readStream('s-7', 0, 9)).to.deep.equal(expected.slice(14, 16))
    await log.close()
    const again = await openLog(path)
    expect(await everything(again)).to.deep.equal(expected)
    await again.close()
  })

  it('is in no byte of a log that an older version wrote, in which only the player’s own events can be found', async () => {
    const path = newPath('log.sqlite')
    const older = Array.from({ length: 400 }, (_, n) =>
      (n + 1) % 3 === 0 ? planted(n + 1) : someEvent({ meta: { player: 'p2' } }),
    )
    writeOldLog(path, older, older.length)
    const log = await openLog(path)
    await appended(log, 's-1', 0, [planted(1)])
    for (const limit of [7, 1_000]) {
      expect((await olderOf(log, limit)).map(({ stream }) => stream)).to.deep.equal(
        Array.from({ length: 133 }, (_, n) => `s-${3 * n + 3}`),
      )
    }
    const [last] = await log.readStream('s-1', 1, 1)
    await log.erasure.rewriteEvents([...(await olderOf(log, 100)), last as StoredEvent].map(withoutText))
    await log.erasure.purge()
    expect(marksAt(path)).to.equal(0)
    expect(await everything(log)).to.have.length(401)
    await log.close()
  })

  it('is not searched for in a log that this version created', async () => {
    const log = await openLog(newPath('log.sqlite'))
    await appended(log, 's-1', 'none', [planted(1)])
    expect(await log.erasure.olderEvents(OWNER, null, 9)).to.deep.equal({ events: [], next: null })
    await log.close()
  })

  it('is rewritten in all events of a call or in none of them', async () => {
    const log = await openLog(newPath('log.sqlite'))
    await appended(log, 's-1', 'none', [planted(1)])
    const before = await everything(log)
    const unknown = { ...withoutText(before[0] as StoredEvent), position: '00000000000000ff' }
    const rewriting = log.erasure.rewriteEvents([...before.map(withoutText), unknown])
    expect(await rewriting.then(String, String)).to.include('TypeError')
    expect(await everything(log)).to.deep.equal(before)
    await log.close()
  })

  it('is in no byte of the read models after its documents are overwritten and they are purged', async () => {
    const path = newPath('views.sqlite')
    const views = await openViews(path)
    await views.prepare(viewSpec())
    const named = (n: number) => ({ a: `${MARK}-${n % 10}`, n, s: MARK, text: MARK.repeat(n % 50) })
    for (let n = 0; n < 300; n += 1) await views.commit([batch([write(`d-${n}`, n + 1, named(n))])])
    await views.purge()
    expect(marksAt(path)).to.be.at.least(300)
    const cleared = (n: number) => write(`d-${n}`, 1_000 + n, n % 2 === 0 ? null : { a: 'x', n })
    // The second half stays in the held transaction.
    for (let n = 0; n < 300; n += 1) await views.commit([batch([cleared(n)])])
    await views.purge()
    expect(marksAt(path)).to.equal(0)
    await views.close()
  })

  it('is in no byte of the vault', async () => {
    const path = newPath('vault.sqlite')
    const vault = await openVault(path)
    await vault.putIfAbsent('email', 'e1', Buffer.from(MARK))
    expect(marksAt(path)).to.be.at.least(1)
    await vault.destroy('email', 'e1')
    await vault.purge()
    expect(marksAt(path)).to.equal(0)
    await vault.close()
  })

  it('is in no byte of the read models after rows that moved between pages are purged', async () => {
    // With these seeds SQLite moves rows and leaves copies of them between the cells of their old pages.
    for (const seed of [7, 9, 19, 22]) {
      const random = new Random(seed)
      const path = newPath('views.sqlite')
      const views = await openViews(path)
      await views.prepare(viewSpec())
      await views.prepare(viewSpec('others@1'))
      let at = 1
      const fields = () => ({ a: `${random.below(1e6)}`, n: random.below(1_000), s: `${random.below(99)}` })
      const put = (id: string, body: JsonObject) => views.commit([batch([write(id, at++, body)])])
      const ids = Array.from({ length: 200 }, (_, n) => `d-${n}-${random.below(1e9)}`)
      const text = MARK.padEnd(300 + random.below(600), 'y')
      for (const id of ids) await put(id, { ...fields(), text })
      const gone = ids.filter(() => random.chance(0.7))
      await views.commit([batch(gone.map((id) => write(id, at++, null)))])
      for (const id of ids.filter((id) => !gone.includes(id))) await put(id, { ...fields(), s: 'x' })
      await views.purge()
      expect(marksAt(path)).to.equal(0)
      expect((await views.scan('things@1', 'thing', null, 1_000)).length).to.equal(ids.length - gone.length)
      await views.close()
    }
  })

  it('is in no byte of the read models after they are purged while others are written', async () => {
    const random = new Random(5)
    const path = newPath('views.sqlite')
    // A slow disk, so that much is written during each purge.
    const sync: Sync = async (fd) => {
      await pause(5)
      await datasync(fd)
    }
    const views = await openViews(path, { sync })
    await views.prepare(viewSpec())
    let at = 1
    const put = (count: number, text: (length: number) => string) => {
      const writes = Array.from({ length: count }, () => {
        const body = { a: `${random.below(1e6)}`, s: `${random.below(99)}`, text: text(20 + random.below(800)) }
        return [`d-${random.below(3_000)}`, at++, random.chance(0.3) ? null : body] as const
      })
      return views.commit([batch([...new Map(writes.map((one) => [one[0], write(...one)])).values()])])
    }
    for (let round = 0; round < 60; round++) {
      await put(400, (length) => MARK.padEnd(length, 'y'))
      const planted = await views.scan('things@1', 'thing', null, 5_000)
      const erased = planted.filter(({ body }) => String(body.text).includes(MARK))
      await views.commit([
        batch(erased.map(({ id, body }) => write(id, at++, random.chance(0.5) ? null : { ...body, text: 'z' }))),
      ])
      let isPurged = false
      const purged = views.purge().then(() => {
        isPurged = true
      })
      while (!isPurged) await put(20, (length) => 'x'.repeat(length)).then(yieldToEventLoop)
      await purged
      expect(marksAt(path), `round ${round}`).to.equal(0)
    }
    await views.close()
  })
})
