// The latest time of all events of the embedded log, whatever the clocks did and whatever its index says.

import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { type EmbeddedLog, indexPathOf, openLog } from '../../stores/embedded/log.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { newPath } from './folder.ts'

const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')
const NOW = new Date(NOW_MS).toISOString()
const FAR = '2030-01-01T00:00:00.000Z'
/** More than two blocks of times. */
const EVENTS = 2_500

const at = (ms: number) => new Date(NOW_MS + ms).toISOString()

/** Appends events of these times, each to a stream of its own. */
async function record(log: EmbeddedLog, times: readonly string[]): Promise<void> {
  await Promise.all(times.map((time, n) => appended(log, `lb_${time}-${n}`, 'none', [someEvent({ meta: { time } })])))
}

describe('the newest time of the embedded log', () => {
  let path: string
  let log: EmbeddedLog
  const reopen = async () => {
    await log.close()
    log = await openLog(path)
  }
  const inIndex = (sql: string) => {
    const db = new DatabaseSync(indexPathOf(path))
    db.exec(sql)
    db.close()
  }

  beforeEach(async () => {
    path = newPath('log.sqlite')
    log = await openLog(path)
  })
  afterEach(() => log.close())

  it('is null while the log is empty', async () => {
    expect(await log.newestTime(NOW)).to.equal(null)
  })

  it('is the latest one, not that of the last event, before and after a restart', async () => {
    await record(log, [at(-5), FAR, at(-3)])
    expect(await log.newestTime(NOW)).to.equal(FAR)
    await reopen()
    expect(await log.newestTime(NOW)).to.equal(FAR)
    await record(log, [at(-2)])
    expect(await log.newestTime(NOW)).to.equal(FAR)
    await record(log, ['2031-01-01T00:00:00.000Z'])
    expect(await log.newestTime(NOW)).to.equal('2031-01-01T00:00:00.000Z')
  })

  it('is found in any block of the index', async () => {
    await record(log, [FAR, ...Array.from({ length: EVENTS }, (_, n) => at(-n))])
    await reopen()
    expect(await log.newestTime(NOW)).to.equal(FAR)
  })

  it('is read from the events if the index claims a time that is not plausible', async () => {
    await record(
      log,
      Array.from({ length: EVENTS }, (_, n) => at(-n)),
    )
    await log.close()
    inIndex("UPDATE times SET latest = '3026-01-01T00:00:00.000Z' WHERE block < 2")
    log = await openLog(path)
    expect(await log.newestTime(NOW)).to.equal(at(0))
    await log.close()
    inIndex("UPDATE times SET latest = '~'")
    log = await openLog(path)
    expect(await log.newestTime(NOW)).to.equal(at(0))
  })
})
