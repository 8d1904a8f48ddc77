// Snapshots: folding continues from the last one; a missing or old one, or one of another log, is ignored.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { makeGuest, rename } from '../../commands/player.ts'
import { createSnapshots, NO_SNAPSHOTS } from '../../commands/snapshots.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { recordDownload } from '../../domain/allowance.ts'
import { type Player, type PlayerEvent, player } from '../../domain/player.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import type { Quota } from '../../domain/quota-state.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { type RecordingRig, recordingRig } from './recording-rig.ts'
import { contextAt, GAME } from './sign-in/sign-in-rig.ts'

const STREAM = quotaStream('k1')
const ABOUT = { stream: STREAM, game: 'g1' }
const NOW_MS = Date.UTC(2026, 10, 21)

const context = () => {
  return { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs: NOW_MS }
}

/** Lowest revision that was read by more than one call. */
function watched(log: Log): { log: Log; least(): number } {
  let least = Number.MAX_SAFE_INTEGER
  const readStream: Log['readStream'] = (stream, from, limit) => {
    if (limit > 1) least = Math.min(least, from)
    return log.readStream(stream, from, limit)
  }
  return { log: { ...log, readStream }, least: () => least }
}

const failed = (error: unknown) => {
  throw error
}

async function downloadUsage(log: Log, views: Views, times: number): Promise<Quota> {
  const handler = createHandler(log, { snapshots: createSnapshots(log, views, failed) })
  const all = Array.from({ length: times }, (_, n) =>
    handler.handle(quota, ABOUT, context(), recordDownload(`d${n}`, 1)),
  )
  await Promise.all(all)
  return (await handler.handle(quota, ABOUT, context(), () => [])).after
}

describe('snapshots', () => {
  it('make reading a stream from its start unnecessary, without changing the result', async () => {
    const [log, views] = [createMemoryLog(), createMemoryViews()]
    expect((await downloadUsage(log, views, 1_500)).sent).to.equal(1_500)
    const second = watched(log)
    expect((await downloadUsage(second.log, views, 1)).sent).to.equal(1_501)
    expect(second.least()).to.be.at.least(900)
    const bare = watched(log)
    expect((await downloadUsage(bare.log, createMemoryViews(), 1)).sent).to.equal(1_502)
    expect(bare.least()).to.equal(0)
  })

  it('are ignored if they are of another log', async () => {
    const views = createMemoryViews()
    await downloadUsage(createMemoryLog(), views, 1_500)
    expect((await downloadUsage(createMemoryLog(), views, 3)).sent).to.equal(3)
    const longer = createMemoryLog()
    await downloadUsage(longer, createMemoryViews(), 2_000)
    expect((await downloadUsage(longer, views, 1)).sent).to.equal(2_001)
  })

  it('are skipped if they cannot be read', async () => {
    const [log, broken] = [createMemoryLog(), createMemoryViews()]
    const away = async () => {
      throw new Error('away')
    }
    const errors: unknown[] = []
    const snapshots = createSnapshots(log, { ...broken, get: away, commit: away }, (error) => errors.push(error))
    const handler = createHandler(log, { snapshots })
    const all = Array.from({ length: 1_100 }, (_, n) =>
      handler.handle(quota, ABOUT, context(), recordDownload(`d${n}`, 1)),
    )
    await Promise.all(all)
    expect((await handler.handle(quota, ABOUT, context(), () => [])).after.sent).to.equal(1_100)
    expect(errors).to.have.length.greaterThan(0)
  })
})

describe('the command handler', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  it('answers a repeated command with the states before and after all its events', async () => {
    const { id } = await makeGuest(rig.deps, GAME, 'Ada', contextAt())
    const about = { stream: `player-${id}`, game: GAME, player: id }
    const context = { ...contextAt(), call: 'the call' }
    const named = (name: string): PlayerEvent => ({ type: 'PlayerNamed', data: { name } })
    const twice = () => [named('One'), named('Two')]
    const first = await rig.deps.handler.handle<Player | null, PlayerEvent>(player, about, context, twice)
    await rename(rig.deps, { game: GAME, player: id }, 'Later', contextAt())
    const again = await rig.deps.handler.handle<Player | null, PlayerEvent>(player, about, context, twice)
    expect(again).to.deep.equal({ ...first, replayed: true })
    expect([again.before?.name, again.after?.name, again.events.length]).to.deep.equal(['Ada', 'Two', 2])
  })

  it('notes for a snapshot the states that it read or recorded, and none without new events', async () => {
    const { id } = await makeGuest(rig.deps, GAME, 'Ada', contextAt())
    const revisions: number[] = []
    const note: typeof NO_SNAPSHOTS.note = (_aggregate, _stream, { revision }) => void revisions.push(revision)
    const handler = createHandler(rig.log, { snapshots: { ...NO_SNAPSHOTS, note } })
    const deps = { ...rig.deps, handler }
    for (let n = 0; n < 2; n++) await rename(deps, { game: GAME, player: id }, 'Eve', contextAt())
    expect(revisions).to.deep.equal([0, 1])
  })
})
