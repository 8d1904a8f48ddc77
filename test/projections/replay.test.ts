// Replays of a board’s history: which past events of a range are handled, and what happens with those that fail.

import { expect } from 'chai'
import { type JsonObject, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { createApplier } from '../../projections/create-applier.ts'
import type { EntryState } from '../../projections/entry-state.ts'
import type { FoldedHistory } from '../../projections/folded-history.ts'
import { Folds } from '../../projections/folds.ts'
import {
  type Folding,
  type HistoryRange,
  type Projection,
  type Replays,
  viewSpec,
} from '../../projections/projection.ts'
import { type ReplayDeps, replay, streamIfNeeded } from '../../projections/replay.ts'
import { WorkingSet } from '../../projections/working-set.ts'
import type { Views } from '../../stores/contract/views.ts'
import { turn } from '../until.ts'
import { appendTexts, runWorld, texts } from './run-world.ts'
import { positionAt, storesOf, submission } from './submissions.ts'

const NONE_PARKED = new Map<string, string>()
const AT_TEN = submission(10, 'b1', 20)
const TRIGGER: StoredEvent = { ...AT_TEN, type: 'Rebuilt', stream: 'rebuild-b1', data: {} }
/** Position n is revision 0 of the stream of player n. */
const reference = (n: number) => ({ stream: `lb_b1-p${n}`, revision: 0 })

/** Twelve submissions of a player each; the event at position 4 has another type. */
const EVENTS = Array.from({ length: 12 }, (_, n) => {
  const event = submission(n, 'b1', 20)
  return n === 4 ? { ...event, type: 'Other' } : event
})

interface Options {
  readonly range?: HistoryRange | null
  readonly replays?: Partial<Replays>
  readonly parked?: ReadonlyMap<string, string>
  readonly deps?: Partial<ReplayDeps>
  readonly folds?: Pick<Folds, 'get'>
}

/** Replays for TRIGGER into the document `log/handled`, which lists the handled players. */
async function replayed({ range = null, replays = {}, parked = NONE_PARKED, deps = {}, folds }: Options) {
  const stores = { ...storesOf(EVENTS), ...deps }
  const loaded: string[] = []
  const get = async (_: string, collection: string, ids: readonly string[]) => {
    loaded.push(...ids.map((id) => `${collection}/${id}`))
    return ids.map(() => null)
  }
  const docs = new WorkingSet(unsafeCast<Views>({ get }), 'v@1')
  const failed: [string, string][] = []
  const all: Replays = {
    triggers: new Set(['Rebuilt']),
    takes: new Set(['ScoreSubmitted']),
    range: () => range,
    needs: () => [['log', 'handled']],
    handle: (past) => note(docs, past.meta.player),
    failed: (past, _, __, reason) => failed.push([past, reason]),
    needsStreamFor: new Set(),
    needsStream: () => false,
    ...replays,
  }
  const own = unsafeCast<Folds>(folds ?? new Folds(stores))
  await replay({ deps: { ...stores, folds: own }, replays: all, docs, parked }, TRIGGER)
  const [change] = docs.takeChanges()
  const handled = unsafeCast<string[]>(docs.peek('log', 'handled')?.handled ?? [])
  return { handled, failed, loaded, pos: change?.pos, reads: stores.reads, docs }
}

function note(docs: { get: WorkingSet['get']; put: WorkingSet['put'] }, player = '', more: JsonObject = {}): void {
  const handled = unsafeCast<string[]>(docs.get('log', 'handled')?.handled ?? [])
  docs.put('log', 'handled', { handled: [...handled, player], ...more })
}

const whole: HistoryRange = { board: 'b1', after: null, upTo: null }

describe('a replay of single events', () => {
  it('handles every past event of the taken types before the event that triggers it, at its position', async () => {
    const { handled, pos, reads } = await replayed({ range: whole })
    expect(handled).to.deep.equal(['p0', 'p1', 'p2', 'p3', 'p5', 'p6', 'p7', 'p8', 'p9'])
    expect([pos, reads.pages]).to.deep.equal([positionAt(10), ['b1 null']])
  })

  it('begins after one event and ends with another', async () => {
    const { handled, reads } = await replayed({ range: { board: 'b1', after: reference(2), upTo: reference(6) } })
    expect([handled, reads.pages]).to.deep.equal([['p3', 'p5', 'p6'], [`b1 ${positionAt(2)}`]])
  })

  it('does not go past the event that triggers it', async () => {
    const { handled } = await replayed({ range: { board: 'b1', after: reference(8), upTo: reference(11) } })
    expect(handled).to.deep.equal(['p9'])
  })

  it('reads nothing if the event names no range', async () => {
    let waits = 0
    const { handled, loaded, reads } = await replayed({ deps: { historyUpTo: async () => void waits++ } })
    expect([handled, loaded, reads.pages, reads.events, waits]).to.deep.equal([[], [], [], [], 0])
  })

  it('waits until the history contains everything before the event', async () => {
    const steps: string[] = []
    const { history } = storesOf(EVENTS)
    const part: typeof history.part = async (...args) => {
      steps.push('read')
      return history.part(...args)
    }
    const historyUpTo = async (event: StoredEvent) => {
      await turn()
      steps.push(`complete up to ${event.type}`)
    }
    await replayed({ range: whole, deps: { history: { ...history, part }, historyUpTo } })
    expect(steps).to.deep.equal(['complete up to Rebuilt', 'read'])
  })

  it('leaves out parked streams from the parked event on', async () => {
    const parked = new Map([
      ['lb_b1-p1', positionAt(1)],
      ['lb_b1-p2', positionAt(3)],
    ])
    const { handled } = await replayed({ range: { ...whole, upTo: reference(3) }, parked })
    expect(handled).to.deep.equal(['p0', 'p2', 'p3'])
  })

  it('rejects if the log lacks an event that the range names', async () => {
    const range = { board: 'b1', after: null, upTo: { stream: 'lb_b1-p3', revision: 7 } }
    const message = await replayed({ range }).catch((error: Error) => error.message)
    expect(message).to.equal('the log has no revision 7 of lb_b1-p3')
  })

  it('reports a past event that fails, changes nothing for it, and handles the others', async () => {
    const handle: Replays['handle'] = (past, _, docs) => {
      note(docs, past.meta.player)
      if (past.meta.player === 'p1') throw new Error('it does not apply')
      if (past.meta.player === 'p2') throw 'a text'
    }
    const { handled, failed } = await replayed({ range: { ...whole, upTo: reference(3) }, replays: { handle } })
    expect(handled).to.deep.equal(['p0', 'p3'])
    expect(failed).to.deep.equal([
      ['ScoreSubmitted 0 of lb_b1-p1', 'it does not apply'],
      ['ScoreSubmitted 0 of lb_b1-p2', 'a text'],
    ])
  })

  it('keeps what is changed to record a failure', async () => {
    const replays: Partial<Replays> = {
      handle: () => {
        throw new Error('it does not apply')
      },
      failed: (past, _, docs, reason) => docs.put('log', 'handled', { handled: [past, reason] }),
    }
    const { handled } = await replayed({ range: { ...whole, upTo: reference(0) }, replays })
    expect(handled).to.deep.equal(['ScoreSubmitted 0 of lb_b1-p0', 'it does not apply'])
  })

  it('loads documents that an event before in the range makes necessary, and tries again', async () => {
    const needs: Replays['needs'] = (past, _, peek) => {
      const hasMore = past.meta.player === 'p1' && peek('log', 'handled') !== null
      return hasMore
        ? [
            ['log', 'handled'],
            ['names', 'p1'],
          ]
        : [['log', 'handled']]
    }
    const handle: Replays['handle'] = (past, _, docs) => {
      note(docs, past.meta.player)
      if (past.meta.player === 'p1') docs.get('names', 'p1')
    }
    const { handled, failed, loaded } = await replayed({
      range: { ...whole, upTo: reference(2) },
      replays: { needs, handle },
    })
    expect([handled, failed, loaded]).to.deep.equal([['p0', 'p1', 'p2'], [], ['log/handled', 'names/p1']])
  })

  it('passes the stream of an event to its handler if it is needed', async () => {
    const streams: (readonly [string | undefined, number])[] = []
    const replays: Partial<Replays> = {
      needsStreamFor: new Set(['ScoreSubmitted']),
      needsStream: ({ meta }, event) => {
        if (meta.player === 'p2') throw new Error('it cannot be read')
        return meta.player === 'p1' && event?.type === 'Rebuilt'
      },
      handle: ({ meta }, _, __, stream) => void streams.push([meta.player, stream.length]),
    }
    await replayed({ range: { ...whole, upTo: reference(2) }, replays })
    expect(streams).to.deep.equal([
      ['p0', 0],
      ['p1', 1],
      ['p2', 0],
    ])
  })
})

describe('the stream of an event', () => {
  const read = async (replays: Partial<Replays>, missing: () => readonly (readonly [string, string])[] = () => []) => {
    const stores = storesOf(EVENTS)
    const loaded: string[] = []
    const get = async (_: string, collection: string, ids: readonly string[]) => {
      loaded.push(`${collection}/${ids}`)
      return ids.map(() => null)
    }
    const docs = new WorkingSet(unsafeCast<Views>({ get }), 'v@1')
    const context = { deps: { ...stores, folds: new Folds(stores) }, replays: unsafeCast<Replays>(replays), docs }
    const found = await streamIfNeeded(context, EVENTS[3] as StoredEvent, null, () =>
      missing().filter((ref) => !docs.has(ref)),
    )
    return [found.length, loaded, stores.reads.events]
  }
  const needsStreamFor = new Set(['ScoreSubmitted'])

  it('is read if the event needs it, once the documents that decide this are loaded', async () => {
    const needsStream: Replays['needsStream'] = (past, event, peek) =>
      past === EVENTS[3] && event === null && peek('log', 'a') === null
    const found = await read({ needsStreamFor, needsStream }, () => [['log', 'a']])
    expect(found).to.deep.equal([1, ['log/a'], ['lb_b1-p3 0']])
  })

  it('is empty for other types of events, and if the event does not need it', async () => {
    expect(await read({ needsStreamFor: new Set(), needsStream: () => true }, () => [['log', 'a']])).to.deep.equal([
      0,
      [],
      [],
    ])
    expect(await read({ needsStreamFor, needsStream: () => false })).to.deep.equal([0, [], []])
  })
})

describe('a new event whose handler needs its stream', () => {
  /** Applies the third event of a stream; returns the revisions that its handler received. */
  async function received(replays: Partial<Replays>) {
    const deps = runWorld([]).deps
    await appendTexts(deps.log, 's-1', 'g1', 'one', 'two', 'three', 'four')
    const [event] = await deps.log.readStream('s-1', 2, 1)
    const revisions: number[][] = []
    const own = unsafeCast<Replays>({ triggers: new Set(), needsStreamFor: new Set(['Said']), ...replays })
    const handle: Projection['handle'] = (_, __, stream) => void revisions.push(stream.map(({ revision }) => revision))
    const projection: Projection = { ...texts, replays: own, handle }
    await deps.views.prepare(viewSpec(projection))
    await createApplier(projection, deps).apply([event as StoredEvent])
    return revisions
  }

  it('is handled with the stream up to and including it', async () => {
    const needsStream: Replays['needsStream'] = (_, event, peek) => event === null && peek('texts', 's-1') === null
    expect(await received({ needsStream })).to.deep.equal([[0, 1, 2]])
  })

  it('is handled with an empty stream if it needs none', async () => {
    expect(await received({ needsStream: () => false })).to.deep.equal([[]])
    expect(await received({ needsStream: () => true, needsStreamFor: new Set(['Other']) })).to.deep.equal([[]])
  })
})

describe('a replay of a fold', () => {
  const GENERATION = { board: 'b1', generation: 2, rules: unsafeCast<never>({}) }
  const state = (player: string) => unsafeCast<EntryState>({ player, revision: 3 })
  const range: HistoryRange = { board: 'b1', after: reference(1), upTo: reference(5) }

  /** A fold of these players; `asked` lists what the replay asked for. */
  function fold(players: readonly string[], broken: FoldedHistory['broken'] = null) {
    const asked: unknown[] = []
    const entryStates = async (after: string | null, upTo: string) => {
      asked.push([after, upTo])
      return players.map(state)
    }
    const get: Folds['get'] = async (...args) => {
      asked.push(args)
      return unsafeCast<FoldedHistory>({ broken, entryStates })
    }
    return { asked, folds: { get } }
  }

  const folding = (more: Partial<Folding> = {}): Folding => ({
    foldEnd: () => reference(7),
    needs: () => [['log', 'handled']],
    generation: () => GENERATION,
    reads: ({ player }) => [['names', player]],
    creates: ({ player }) => ['entries', player],
    handle: ({ player }, _, docs) => {
      note(docs, player)
      docs.get('names', player)
      docs.put('entries', player, {})
    },
    ...more,
  })

  it('handles each entry of the range once, with the documents that it reads', async () => {
    const { asked, folds } = fold(['p2', 'p3'])
    const { handled, loaded, docs } = await replayed({ range, folds, replays: { folding: folding() } })
    expect(asked).to.deep.equal([
      [GENERATION, positionAt(7), NONE_PARKED, false],
      [positionAt(1), positionAt(5)],
    ])
    expect(handled).to.deep.equal(['p2', 'p3'])
    expect(loaded, 'the documents of entries are known to be absent').to.deep.equal([
      'log/handled',
      'names/p2',
      'names/p3',
    ])
    expect([docs.peek('entries', 'p2'), docs.peek('entries', 'p3')]).to.deep.equal([{}, {}])
  })

  it('says that a range is the last if it ends with the fold, and begins with the history without an event', async () => {
    const { asked, folds } = fold([])
    const last = { ...range, after: null, upTo: reference(7) }
    await replayed({ range: last, folds, replays: { folding: folding() } })
    expect(asked).to.deep.equal([
      [GENERATION, positionAt(7), NONE_PARKED, true],
      [null, positionAt(7)],
    ])
  })

  it('is not made if the event names no end of a fold, or no end of the range', async () => {
    for (const options of [
      { range, replays: { folding: folding({ foldEnd: () => null }) } },
      { range: { ...range, upTo: null }, replays: { folding: folding() } },
    ]) {
      const { asked, folds } = fold(['p2'])
      const { handled } = await replayed({ ...options, folds })
      expect([asked, handled.slice(0, 3)]).to.deep.equal([[], ['p2', 'p3', 'p5']])
    }
  })

  it('changes nothing if the generation no longer exists', async () => {
    const { asked, folds } = fold(['p2'])
    const { handled } = await replayed({ range, folds, replays: { folding: folding({ generation: () => null }) } })
    expect([asked, handled]).to.deep.equal([[], []])
  })

  it('reports the event that cannot be applied under the rules, and handles the entries', async () => {
    const { folds } = fold(['p2'], { past: 'ScoreSubmitted 0 of lb_b1-p9', reason: 'no decimal' })
    const failed: Replays['failed'] = (past, _, docs, reason) => note(docs, `${past}: ${reason}`)
    const { handled } = await replayed({ range, folds, replays: { folding: folding(), failed } })
    expect(handled).to.deep.equal(['ScoreSubmitted 0 of lb_b1-p9: no decimal', 'p2'])
  })

  it('reports an entry that fails, changes nothing for it, and handles the others', async () => {
    const { folds } = fold(['p2', 'p3', 'p4'])
    const handle: Folding['handle'] = ({ player }, _, docs) => {
      note(docs, player)
      if (player === 'p3') throw new Error('it does not apply')
    }
    const { handled, failed } = await replayed({ range, folds, replays: { folding: folding({ handle }) } })
    expect([handled, failed]).to.deep.equal([['p2', 'p4'], [['submission 3 of p3', 'it does not apply']]])
  })

  it('handles every entry of a large range', async () => {
    const players = Array.from({ length: 501 }, (_, n) => `q${n}`)
    const { folds } = fold(players)
    const { handled } = await replayed({ range, folds, replays: { folding: folding() } })
    expect(handled).to.deep.equal(players)
  })
})
