// The index of the embedded log: it finds the same events while it is behind, while it is written, and after it was
// lost.

import { rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { type EmbeddedLog, indexPathOf, openLog } from '../../stores/embedded/log.ts'
import { appended, everything, someEvent } from '../contracts/events.ts'
import { copyDerived } from './derived-files.ts'
import { newPath } from './folder.ts'

const STREAMS = 97
/** Events of a batch: a multiple of the size of a block of times. */
const BATCH = 2_048
const stream = (n: number) => `lb_b${n % 5}-p${n % STREAMS}`

/** Appends one event for each number, to few streams, games and boards. */
async function grow(log: EmbeddedLog, from: number, to: number): Promise<void> {
  const lasts = new Map<string, number>()
  const sent: Promise<unknown>[] = []
  for (let n = from; n < to; n += 1) {
    const name = stream(n)
    const last = lasts.get(name) ?? (await log.readStream(name, 0, 10_000)).length - 1
    const event = someEvent({ meta: { game: `g${n % 3}`, board: `b${n % 5}` } })
    sent.push(appended(log, name, last === -1 ? 'none' : last, [event]))
    lasts.set(name, last + 1)
    if (sent.length === 500) await Promise.all(sent.splice(0))
  }
  await Promise.all(sent)
}

const positions = (events: readonly StoredEvent[]) => events.map(({ position }) => position)

/** Compares what the log finds with all of its events. */
async function expectComplete(log: EmbeddedLog): Promise<void> {
  const all = await everything(log)
  for (let n = 0; n < STREAMS; n += 7) {
    for (const name of [stream(n), stream(n + 1)]) {
      const own = all.filter((one) => one.stream === name)
      expect(positions(await log.readStream(name, 0, 10_000))).to.deep.equal(positions(own))
      expect(positions(await log.readStream(name, 2, 3))).to.deep.equal(positions(own.slice(2, 5)))
    }
  }
  for (const after of [null, all[Math.floor(all.length / 2)]?.position ?? null, all.at(-2)?.position ?? null]) {
    const later = all.filter(({ position }) => after === null || position > after)
    const ofGame = later.filter(({ meta }) => meta.game === 'g1')
    const ofBoard = later.filter(({ meta }) => meta.board === 'b2')
    expect(positions(await log.part({ game: 'g1' }, after, 10_000))).to.deep.equal(positions(ofGame))
    expect(positions(await log.part({ board: 'b2' }, after, 5))).to.deep.equal(positions(ofBoard.slice(0, 5)))
    expect((await log.brief?.({ board: 'b2' }, after, 7))?.map(({ position }) => position)).to.deep.equal(
      positions(ofBoard.slice(0, 7)),
    )
    for (const count of [1, 2, Math.max(1, ofGame.length), ofGame.length + 1]) {
      const nth = await log.nth({ game: 'g1' }, after, count)
      expect(nth?.position ?? null, `${count} after ${after}`).to.equal(ofGame[count - 1]?.position ?? null)
    }
  }
}

describe('the index of the embedded log', () => {
  it('finds all events while a part of them is in its file', async () => {
    const log = await openLog(newPath('log.sqlite'), { index: { batch: BATCH } })
    let from = 0
    for (const to of [100, 2_000, 2_100, 6_000, 6_200, 9_000]) {
      const growing = grow(log, from, to)
      await expectComplete(log)
      await growing
      await expectComplete(log)
      from = to
    }
    await log.close()
  })

  it('skips blocks without a time in the range, both in its file and in memory', async () => {
    const path = newPath('log.sqlite')
    const log = await openLog(path, { index: { batch: BATCH } })
    const minute = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()
    const length = 5 * BATCH + 100
    const events = Array.from({ length }, (_, n) => someEvent({ meta: { game: 'g1', time: minute(n) } }))
    await Promise.all(events.map((event, n) => appended(log, `s-${n}`, 'none', [event])))
    const all = await everything(log)
    const upTo = all.at(-1)?.position ?? ''
    const skipped = async (after: string | null, since: string | null, until: string | null) => {
      for (let reached = after; ; ) {
        const next = await log.skip('g1', { after: reached, upTo }, { since, until })
        if (next === reached) return all.findIndex(({ position }) => position === reached) + 1
        reached = next
      }
    }
    for (const n of [0, 1_023, 1_024, 3_000, 5_000, 9_000, length - 1]) {
      const block = Math.floor(n / 1_024) * 1_024
      expect(await skipped(null, minute(n), minute(n + 1)), `event ${n}`).to.equal(block)
      const end = Math.min(length, block + 1_024)
      expect(await skipped(all[end - 1]?.position ?? null, null, minute(n + 1)), `after event ${n}`).to.equal(length)
    }
    await log.close()
  })

  it('continues streams after a restart, whether or not they are in its file', async () => {
    const path = newPath('log.sqlite')
    for (const [from, to] of [
      [0, 3_000],
      [3_000, 3_050],
      [3_050, 3_100],
    ] as const) {
      const log = await openLog(path)
      await grow(log, from, to)
      await expectComplete(log)
      await log.close()
    }
  })

  it('is built again if it was lost, damaged, or is of another log', async () => {
    const path = newPath('log.sqlite')
    const other = newPath('log.sqlite')
    for (const one of [path, other]) {
      const log = await openLog(one)
      await grow(log, 0, 300)
      await log.close()
    }
    const changes: Record<string, () => void> = {
      lost: () => rmSync(indexPathOf(path)),
      damaged: () => writeFileSync(indexPathOf(path), 'no database at all, and longer than a header '.repeat(100)),
      foreign: () => copyDerived(indexPathOf(other), indexPathOf(path)),
      ahead: () => {
        const file = new DatabaseSync(path)
        file.exec('DELETE FROM events WHERE position > 250')
        file.close()
      },
    }
    for (const change of Object.values(changes)) {
      change()
      const log = await openLog(path)
      await expectComplete(log)
      await log.close()
    }
  })

  it('reads what a killed process had not written to it', async () => {
    const path = newPath('log.sqlite')
    const log = await openLog(path)
    await grow(log, 0, 300)
    const early = newPath('early.sqlite')
    await log.close()
    copyDerived(indexPathOf(path), early)
    const more = await openLog(path)
    await grow(more, 300, 900)
    await more.close()
    copyDerived(early, indexPathOf(path))
    const again = await openLog(path)
    await expectComplete(again)
    expect(await everything(again)).to.have.length(900)
    await again.close()
  })
})
