// The repair of an embedded log with gaps and duplicates: what it changes and what not, and what a kill at any of its
// steps leaves.

import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../domain/event.ts'
import { FolderInUse } from '../../stores/contract/faults.ts'
import { openLog } from '../../stores/embedded/log.ts'
import type { RepairPlan } from '../../stores/embedded/log-repair-plan.ts'
import { positionOf } from '../../stores/embedded/log-schema.ts'
import { openLogRepair } from '../../stores/embedded/repair-log.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { checkRevisions } from '../../stores/support/check-revisions.ts'
import { appended, everything, someEvent } from '../contracts/events.ts'
import { changeLog, duplicateRevision, logRows, openedRepair, revisionsOf, skipRevision } from './faulty-log.ts'
import { newPath } from './folder.ts'

const PLAYER = 'lb_b1-p1'
const OTHER = 'lb_b1-p2'
const BOARD = 'board-b1'

const eventOf = (type: string, data: JsonObject, second: number) =>
  someEvent({ type, data, meta: { board: 'b1', time: `2026-11-21T07:05:${String(second).padStart(2, '0')}.000Z` } })

/** A folder with a log of two players' submissions, a deletion, and a rebuild that names some of them; and views. */
async function filledFolder(): Promise<string> {
  const folder = dirname(newPath('log.sqlite'))
  const log = await openLog(join(folder, 'log.sqlite'))
  for (let n = 0; n < 4; n++) {
    await appended(log, PLAYER, n === 0 ? 'none' : n - 1, [eventOf('ScoreSubmitted', { id: `a${n}` }, n)])
    await appended(log, OTHER, n === 0 ? 'none' : n - 1, [eventOf('ScoreSubmitted', { id: `b${n}` }, n)])
  }
  const built = { change: 'c', generation: 2, after: null, upTo: { stream: PLAYER, revision: 3 }, events: 7, total: 8 }
  await appended(log, BOARD, 'none', [eventOf('LeaderboardSliceBuilt', built, 5)])
  await appended(log, PLAYER, 3, [eventOf('ScoreDeleted', { id: 'a0', upTo: 3 }, 6)])
  await appended(log, PLAYER, 4, [eventOf('ScoreSubmitted', { id: 'a5' }, 7)])
  await log.close()
  const views = await openViews(join(folder, 'views.sqlite'))
  await views.close()
  return folder
}

async function planned(folder: string): Promise<RepairPlan> {
  const repair = await openedRepair(folder)
  try {
    return await repair.plan(() => {})
  } finally {
    await repair.close()
  }
}

async function repaired(folder: string, onStep?: (step: string) => void): Promise<void> {
  const repair = await openedRepair(folder, onStep)
  try {
    await repair.apply(await repair.plan(() => {}))
  } finally {
    await repair.close()
  }
}

/** Opens the log as a start does, and returns what a reader finds. */
async function found(folder: string) {
  const log = await openLog(join(folder, 'log.sqlite'))
  try {
    const checking = checkRevisions({ log, revisions: log.revisions })
    let step = await checking.next()
    while (step.done !== true) step = await checking.next()
    const { revisions } = log
    return { events: await everything(log), faults: step.value.found, repaired: await revisions.repaired() }
  } finally {
    await log.close()
  }
}

describe('the repair of a log', () => {
  let folder: string
  beforeEach(async () => {
    folder = await filledFolder()
  })

  it('plans nothing for a log without a fault, and then changes no file', async () => {
    const before = logRows(folder)
    expect(await planned(folder)).to.deep.equal({ streams: [], rows: [], references: 0 })
    await repaired(folder)
    expect(logRows(folder)).to.deep.equal(before)
    expect([existsSync(join(folder, 'views.sqlite')), (await found(folder)).repaired]).to.deep.equal([true, []])
  })

  it('numbers a stream with a duplicate again in log order, and changes no other event, id, type, time or data', async () => {
    const right = logRows(folder)
    duplicateRevision(folder, PLAYER, 2)
    changeLog(folder, `UPDATE events SET data = json_set(data, '$.upTo.revision', 2) WHERE stream = ?`, BOARD)
    expect(revisionsOf(logRows(folder), PLAYER)).to.deep.equal([0, 1, 1, 2, 3, 4])
    const { streams } = await planned(folder)
    expect(streams.map(({ stream, gaps, duplicates }) => [stream, gaps, duplicates])).to.deep.equal([[PLAYER, 0, 1]])
    expect(streams[0]?.events.map(({ before, after }) => [before, after])).to.deep.equal([
      ...[
        [0, 0],
        [1, 1],
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 5],
      ],
    ])
    await repaired(folder)
    // The range named its last submission by the revision that this had, and names it by the one that it has.
    expect(logRows(folder)).to.deep.equal(right)
    expect(await found(folder)).to.deep.include({ faults: 0 })
  })

  it('lets a reference to a revision that two events have name the first, as readers of the log do', async () => {
    duplicateRevision(folder, PLAYER, 4)
    await repaired(folder)
    const ofRange = logRows(folder).find(({ stream }) => stream === BOARD)?.data ?? ''
    expect(JSON.parse(ofRange).upTo).to.deep.equal({ stream: PLAYER, revision: 3 })
  })

  it('closes a gap, counts the missing revisions, and lets a reference to a missing one name the event before it', async () => {
    const right = logRows(folder)
    skipRevision(folder, PLAYER, 3)
    const { streams, references } = await planned(folder)
    expect(streams.map(({ stream, gaps, duplicates }) => [stream, gaps, duplicates])).to.deep.equal([[PLAYER, 1, 0]])
    expect(references).to.equal(1)
    await repaired(folder)
    expect(revisionsOf(logRows(folder), PLAYER)).to.deep.equal(revisionsOf(right, PLAYER))
    const ofRange = logRows(folder).find(({ stream }) => stream === BOARD)?.data ?? ''
    expect(JSON.parse(ofRange).upTo).to.deep.equal({ stream: PLAYER, revision: 2 })
    expect((await found(folder)).faults).to.equal(0)
  })

  it('keeps the first changed event of each repair, with its present revision', async () => {
    duplicateRevision(folder, PLAYER, 2)
    await repaired(folder)
    duplicateRevision(folder, OTHER, 1)
    await repaired(folder)
    expect((await found(folder)).repaired).to.deep.equal([
      { position: positionOf(4), stream: OTHER, revision: 1 },
      { position: positionOf(5), stream: PLAYER, revision: 2 },
    ])
  })

  it('takes appends to a repaired stream, and reads it from any revision', async () => {
    duplicateRevision(folder, PLAYER, 2)
    await repaired(folder)
    const log = await openLog(join(folder, 'log.sqlite'))
    await appended(log, PLAYER, 5, [someEvent()])
    expect((await log.readStream(PLAYER, 0, 99)).map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3, 4, 5, 6])
    expect((await log.readStream(PLAYER, 3, 1)).map(({ type }) => type)).to.deep.equal(['ScoreSubmitted'])
    await log.close()
  })

  it('refuses a log that a process has open, and creates none in a folder without one', async () => {
    const log = await openLog(join(folder, 'log.sqlite'))
    expect(await openLogRepair(folder).catch((error: unknown) => error)).to.be.instanceOf(FolderInUse)
    await log.close()
    const empty = dirname(newPath('log.sqlite'))
    expect(await openLogRepair(empty)).to.equal(null)
    expect(existsSync(join(empty, 'log.sqlite'))).to.equal(false)
  })

  it('leaves the log as it was or repaired, and no views or index of other revisions, if it is killed at any step', async () => {
    duplicateRevision(folder, PLAYER, 2)
    const faulty = logRows(folder)
    const log = await openLog(join(folder, 'log.sqlite'))
    await log.close()
    const killed: { readonly step: string; readonly at: string }[] = []
    const killsAfter = (step: string) => {
      const at = join(dirname(newPath('copy')), 'data')
      mkdirSync(at)
      // The files of a process that was killed have all that it wrote.
      cpSync(folder, at, { recursive: true })
      killed.push({ step, at })
    }
    await repaired(folder, killsAfter)
    const right = logRows(folder)
    expect(right).to.not.deep.equal(faulty)
    const steps = killed.map(({ step }) => step)
    expect([steps[0], ...steps.slice(-2)]).to.deep.equal(['planned', 'written', 'repaired'])
    expect(steps).to.include.members(['removed log-index.sqlite', 'removed views.sqlite'])
    for (const { step, at } of killed) {
      const [hasViews, hasIndex] = ['views.sqlite', 'log-index.sqlite'].map((name) => existsSync(join(at, name)))
      const isRepaired = step === 'repaired'
      expect(logRows(at), step).to.deep.equal(isRepaired ? right : faulty)
      if (isRepaired) expect([hasViews, hasIndex], step).to.deep.equal([false, false])
      // A start works on what is left, and the command completes the repair.
      expect((await found(at)).faults, step).to.equal(isRepaired ? 0 : 1)
      await repaired(at)
      expect(logRows(at), step).to.deep.equal(right)
      expect(
        (await found(at)).events.map(({ revision }) => revision),
        step,
      ).to.deep.equal(right.map(({ revision }) => revision))
    }
  })
})
