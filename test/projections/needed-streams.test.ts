// A deletion that was made under rules of the other kind (unique or not) is handled with its player’s whole stream,
// which is read in pages.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { Folds } from '../../projections/folds.ts'
import type { Replays } from '../../projections/projection.ts'
import { type ReplayDeps, streamIfNeeded } from '../../projections/replay.ts'
import { WorkingSet } from '../../projections/working-set.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'

const SUBMISSIONS = 1_130

describe('the stream for a deletion made under rules of the other kind', () => {
  it('is read in pages of 250 events, up to and including the deletion', async () => {
    const stream = 'lb_b-p'
    const eventAt = (revision: number): StoredEvent => ({
      id: `e${revision}`,
      stream,
      revision,
      position: String(revision).padStart(8, '0'),
      type: revision === SUBMISSIONS ? 'ScoreDeleted' : 'ScoreSubmitted',
      data: { id: `s${revision}` },
      meta: { v: 1, game: 'g', board: 'b', player: 'p', command: '', actor: null, request: null, time: '' },
    })
    // The stream also has submissions after the deletion.
    const events = Array.from({ length: SUBMISSIONS + 40 }, (_, revision) => eventAt(revision))
    const limits: number[] = []
    const log: ReplayDeps['log'] = {
      ...createMemoryLog(),
      readStream: async (_, from, limit) => {
        limits.push(limit)
        return events.slice(from, from + limit)
      },
    }
    const deps: ReplayDeps = { log, history: createMemoryLog() }
    const replays: Replays = {
      triggers: new Set(),
      takes: new Set(),
      range: () => null,
      needs: () => [],
      handle: () => {},
      failed: () => {},
      needsStreamFor: new Set(['ScoreDeleted']),
      needsStream: () => true,
    }
    const docs = new WorkingSet(createMemoryViews(), 'entries', undefined, [])
    const found = await streamIfNeeded(
      { deps: { ...deps, folds: new Folds(deps) }, replays, docs },
      eventAt(SUBMISSIONS),
      null,
      () => [],
    )
    expect(found).to.deep.equal(events.slice(0, SUBMISSIONS + 1))
    expect(limits).to.deep.equal([250, 250, 250, 250, 131])
  })
})
