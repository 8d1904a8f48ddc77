// Keys of leaderboards: what taking, changing and giving one up records, races over nodes, and calls that end between
// the claim on a key and its use.

import { expect } from 'chai'
import fc from 'fast-check'
import { settleClaim } from '../../commands/board-key.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { createHandler } from '../../commands/handle.ts'
import { archive, makeLeaderboard, setLeaderboard } from '../../commands/leaderboard.ts'
import { loadState } from '../../commands/load-state.ts'
import { keyedIds, randomIds } from '../../credentials/command-ids.ts'
import { workingKeys } from '../../credentials/master.ts'
import { boardKey, boardKeyStream, type KeyClaim } from '../../domain/board-key.ts'
import { boardStream, type Leaderboard, type LeaderboardChange, leaderboard } from '../../domain/leaderboard.ts'
import { slots, slotsStream } from '../../domain/slots.ts'
import { settleBoardKeys } from '../../reactions/settle-board-keys.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { ALLOW, REFUSE } from './recording-rig.ts'

const GAME = 'agame'
const NOW_MS = Date.parse('2026-11-23T03:00:00.000Z')
const CALL_ENDED_MS = 60_000
const BASE = { repeated: false, actor: 'sk_x', request: 'r', nowMs: NOW_MS }
const fresh = (): CommandContext => ({ ...randomIds(), call: null, ...BASE })
const keyed = (name: string): CommandContext => {
  return { ...keyedIds(new Uint8Array(32), 'sk_x', null, name), call: `call ${name}`, ...BASE }
}
const rules = { ordering: 'desc', secondaryOrdering: 'desc', unique: true, minScore: null, maxScore: null } as const
const BOARD = { name: 'Board', description: '', rules }

function node(log: Log, existing = 0) {
  return {
    ...{ handler: createHandler(log), log, vault: createMemoryVault(), keys: workingKeys(new Uint8Array(32)) },
    publish: async () => {},
    countExisting: async () => existing,
  }
}
type Node = ReturnType<typeof node>

const make = async (deps: Node, key: string | null, context = fresh()) =>
  (await makeLeaderboard(deps, GAME, { ...BOARD, key }, context)).id
const set = (deps: Node, board: string, change: LeaderboardChange, context = fresh(), expected = ALLOW) =>
  setLeaderboard(deps, { board, game: GAME }, { change, expect: expected }, context)
const stateOf = (deps: Node, board: string): Promise<Leaderboard | null> =>
  loadState(deps, leaderboard, boardStream(board))
const claimOf = (deps: Node, key: string): Promise<KeyClaim | null> =>
  loadState(deps, boardKey, boardKeyStream(GAME, key))
const ownerOf = async (deps: Node, key: string) => (await claimOf(deps, key))?.board ?? null

/** A log that refuses the appends that `dies` names, as if the process had died before them. */
const dyingLog = (log: Log, dies: (stream: string, types: readonly string[]) => boolean): Log => ({
  ...log,
  append: async (stream, expected, events) => {
    if (
      dies(
        stream,
        events.map(({ type }) => type),
      )
    )
      throw new NotSent('died')
    return log.append(stream, expected, events)
  },
})

/** Key -> the leaderboards that show it. */
async function shownKeys(deps: Node): Promise<Record<string, string[]>> {
  const shown: Record<string, string[]> = {}
  for (const { type, meta } of await deps.log.readAll(null, 1_000)) {
    const state = type === 'LeaderboardCreated' ? await stateOf(deps, meta.board ?? '') : null
    if (state?.key != null) shown[state.key] = [...(shown[state.key] ?? []), meta.board ?? '']
  }
  return shown
}

/** Delivers every event to the reaction, once each call has ended. */
async function settle(deps: Node): Promise<void> {
  const all = await deps.log.readAll(null, 1_000)
  const nowMs = Math.max(...all.map(({ meta }) => Date.parse(meta.time))) + CALL_ENDED_MS
  const { takes, react } = settleBoardKeys({ commands: deps, now: () => nowMs })
  for (const event of all) {
    if (takes.includes(event.type)) await react(event, new AbortController().signal)
  }
}

describe('keys of leaderboards', () => {
  const since = async (log: Log, passed: number) =>
    (await log.readAll(null, 1_000)).slice(passed).map(({ stream, type, data, meta }) => ({
      ...{ stream, type, data },
      about: { game: meta.game, board: meta.board },
    }))

  it('are claimed for a leaderboard, then taken by it, in the history of the game', async () => {
    const log = createMemoryLog()
    const context = fresh()
    const id = await make(node(log), 'weekly', context)
    const claim = context.command
    const about = { game: GAME, board: undefined }
    const [claimed, , taken, created] = await since(log, 0)
    expect(claimed).to.deep.equal({
      ...{ stream: `boardkey-${GAME}.weekly`, type: 'LeaderboardKeyClaimed', data: { board: id, claim }, about },
    })
    expect(taken?.type).to.equal('SlotTaken')
    expect(created).to.deep.equal({
      ...{ stream: `board-${id}`, type: 'LeaderboardCreated', data: { ...BOARD, key: 'weekly', claim } },
      about: { game: GAME, board: id },
    })
  })

  it('are claimed, taken, then the earlier one is released', async () => {
    const log = createMemoryLog()
    const deps = node(log)
    const id = await make(deps, 'weekly')
    const { length } = await log.readAll(null, 1_000)
    await set(deps, id, { key: 'daily', name: 'Other' })
    expect((await since(log, length)).map(({ stream, type }) => `${stream} ${type}`)).to.deep.equal([
      `boardkey-${GAME}.daily LeaderboardKeyClaimed`,
      `board-${id} LeaderboardDescribed`,
      `board-${id} LeaderboardKeyChanged`,
      `boardkey-${GAME}.weekly LeaderboardKeyReleased`,
    ])
    expect([await ownerOf(deps, 'weekly'), await ownerOf(deps, 'daily')]).to.deep.equal([null, id])
  })

  it('record nothing where the leaderboard has the key already, or has none to give up', async () => {
    const log = createMemoryLog()
    const deps = node(log)
    const [one, two] = [await make(deps, 'weekly'), await make(deps, null)]
    const { length } = await log.readAll(null, 1_000)
    await set(deps, one, { key: 'weekly' })
    await set(deps, two, { key: null })
    expect(await since(log, length)).to.deep.equal([])
  })

  it('are free after the leaderboard gave them up or was archived', async () => {
    const deps = node(createMemoryLog())
    const [one, two] = [await make(deps, 'one'), await make(deps, 'two')]
    await set(deps, one, { key: null })
    await archive(deps, two, GAME, fresh())
    expect([await ownerOf(deps, 'one'), await ownerOf(deps, 'two')]).to.deep.equal([null, null])
    const [three, four] = [await make(deps, 'one'), await make(deps, 'two')]
    expect([await ownerOf(deps, 'one'), await ownerOf(deps, 'two')]).to.deep.equal([three, four])
    expect([(await stateOf(deps, three))?.key, (await stateOf(deps, two))?.key]).to.deep.equal(['one', null])
  })

  it('are refused if another leaderboard of the game has them, and nothing is recorded; other games do not count', async () => {
    const log = createMemoryLog()
    const deps = node(log)
    const [one, two] = [await make(deps, 'weekly'), await make(deps, 'daily')]
    const { length } = await log.readAll(null, 1_000)
    expect(await refusalCodeOf(make(deps, 'weekly'))).to.equal('leaderboard_key_taken')
    expect(await refusalCodeOf(set(deps, two, { key: 'weekly', name: 'Other' }))).to.equal('leaderboard_key_taken')
    expect(await since(log, length)).to.deep.equal([])
    await makeLeaderboard(deps, 'other', { ...BOARD, key: 'weekly' }, fresh())
    expect([await ownerOf(deps, 'weekly'), (await stateOf(deps, two))?.key]).to.deep.equal([one, 'daily'])
  })

  it('are free again if the game has no slot for the leaderboard', async () => {
    const log = createMemoryLog()
    expect(await refusalCodeOf(make(node(log, 10_000), 'weekly'))).to.equal('too_many_leaderboards')
    expect((await since(log, 0)).map(({ type }) => type)).to.deep.equal([
      'LeaderboardKeyClaimed',
      'LeaderboardKeyReleased',
    ])
    expect(await ownerOf(node(log), 'weekly')).to.equal(null)
  })

  it('are not claimed by a change that is refused for another reason', async () => {
    const log = createMemoryLog()
    const deps = node(log)
    const id = await make(deps, null)
    const { length } = await log.readAll(null, 1_000)
    expect(await refusalCodeOf(set(deps, id, { key: 'weekly' }, fresh(), REFUSE))).to.equal('seen_another')
    expect(await refusalCodeOf(set(deps, 'nosuch', { key: 'weekly' }))).to.equal('leaderboard_not_found')
    expect(await since(log, length)).to.deep.equal([])
  })

  it('are taken once by a repeated call, also after the key has moved', async () => {
    const log = createMemoryLog()
    const deps = node(log)
    const id = await make(deps, 'weekly', keyed('make'))
    expect(await make(node(log), 'weekly', keyed('make'))).to.equal(id)
    await set(deps, id, { key: 'daily' }, keyed('change'))
    await set(deps, id, { key: null })
    const other = await make(deps, 'daily')
    const { length } = await log.readAll(null, 1_000)
    const again = await set(node(log), id, { key: 'daily' }, keyed('change'))
    expect([again.replayed, again.after?.key, (await stateOf(deps, id))?.key]).to.deep.equal([true, 'daily', null])
    expect(await make(node(log), 'weekly', keyed('make'))).to.equal(id)
    expect(await since(log, length)).to.deep.equal([])
    expect([await ownerOf(deps, 'weekly'), await ownerOf(deps, 'daily')]).to.deep.equal([null, other])
  })

  it('have exactly one winner among calls on three nodes', async () => {
    const log = createMemoryLog()
    const nodes = [node(log), node(log), node(log)] as const
    const boards = await Promise.all(Array.from({ length: 8 }, () => make(nodes[0], null)))
    for (const round of ['a-key', 'another']) {
      const racing = Array.from({ length: 24 }, (_, n) => {
        const deps = nodes[n % 3] as Node
        return n < 12 ? make(deps, round) : set(deps, boards[n % 8] ?? '', { key: round })
      })
      const ends = await Promise.allSettled(racing)
      const codes = new Set(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : [])))
      expect([...codes]).to.deep.equal(['leaderboard_key_taken'])
      const owner = await ownerOf(nodes[0], round)
      const made = (await log.readAll(null, 1_000)).filter(({ type }) => type === 'LeaderboardCreated')
      const states = await Promise.all(
        made.map(async ({ meta }) => [meta.board, await stateOf(nodes[0], meta.board ?? '')]),
      )
      const having = states.filter(([, state]) => (state as Leaderboard).key === round).map(([id]) => id)
      expect(having).to.deep.equal([owner])
      // Only calls of one leaderboard may have succeeded: one that creates it, or those that change it.
      const winners = ends.flatMap((end, n) =>
        end.status === 'fulfilled' ? [n < 12 ? `new ${n}` : boards[n % 8]] : [],
      )
      expect(new Set(winners).size).to.equal(1)
    }
  })
})

describe('a call that ends between the claim on a key and its use', () => {
  const claimed = 'LeaderboardKeyClaimed'
  const ofBoard = (stream: string) => stream.startsWith('board-')

  it('leaves a claim that is released, of a leaderboard that was never created', async () => {
    const log = createMemoryLog()
    await make(node(dyingLog(log, ofBoard)), 'weekly').catch(() => {})
    const deps = node(log)
    expect(await ownerOf(deps, 'weekly')).to.match(/^[a-z2-7]{24}$/)
    await settle(deps)
    expect(await ownerOf(deps, 'weekly')).to.equal(null)
    const id = await make(deps, 'weekly')
    await settle(deps)
    expect(await ownerOf(deps, 'weekly')).to.equal(id)
  })

  it('leaves a claim that is released, of a leaderboard that keeps its earlier key', async () => {
    const log = createMemoryLog()
    const id = await make(node(log), 'weekly')
    await set(node(dyingLog(log, ofBoard)), id, { key: 'daily' }).catch(() => {})
    const deps = node(log)
    expect(await ownerOf(deps, 'daily')).to.equal(id)
    await settle(deps)
    expect([await ownerOf(deps, 'daily'), await ownerOf(deps, 'weekly')]).to.deep.equal([null, id])
  })

  it('leaves the key that was given up, which is released', async () => {
    const dying = (log: Log) => node(dyingLog(log, (_, types) => types.includes('LeaderboardKeyReleased')))
    for (const giveUp of [
      (deps: Node, id: string) => set(deps, id, { key: 'daily' }),
      (deps: Node, id: string) => set(deps, id, { key: null }),
      (deps: Node, id: string) => archive(deps, id, GAME, fresh()),
    ]) {
      const log = createMemoryLog()
      const id = await make(node(log), 'weekly')
      await giveUp(dying(log), id).catch(() => {})
      const deps = node(log)
      expect(await ownerOf(deps, 'weekly')).to.equal(id)
      await settle(deps)
      expect(await ownerOf(deps, 'weekly')).to.equal(null)
    }
  })

  it('leaves a claim that its repeat uses', async () => {
    const log = createMemoryLog()
    await make(node(dyingLog(log, ofBoard)), 'weekly', keyed('make')).catch(() => {})
    const id = await make(node(log), 'weekly', keyed('make'))
    expect((await log.readAll(null, 100)).filter(({ type }) => type === claimed)).to.have.length(1)
    expect(await ownerOf(node(log), 'weekly')).to.equal(id)
  })

  it('leaves every key with one leaderboard or free, at whichever append the call and then the reaction end', async () => {
    const calls: Readonly<Record<string, (deps: Node, a: string, b: string) => Promise<unknown>>> = {
      make: (deps) => make(deps, 'daily'),
      change: (deps, a) => set(deps, a, { key: 'daily', name: 'Other' }),
      move: async (deps, a, b) => {
        await set(deps, a, { key: null })
        await set(deps, b, { key: 'weekly' })
      },
      remove: (deps, a) => set(deps, a, { key: null }),
      archive: (deps, a) => archive(deps, a, GAME, fresh()),
    }
    for (const [what, call] of Object.entries(calls)) {
      for (let done = 0, hasEnded = true; hasEnded; done++) {
        for (let settled = 0; settled < 3; settled++) {
          const log = createMemoryLog()
          const deps = node(log)
          const boards = [await make(deps, 'weekly'), await make(deps, null)] as const
          const endsAfter = (appends: number) => node(dyingLog(log, () => appends-- <= 0))
          hasEnded = await call(endsAfter(done), ...boards).then(
            () => false,
            () => true,
          )
          await settle(endsAfter(settled)).catch(() => {})
          await settle(deps)
          for (const key of ['weekly', 'daily']) {
            const owner = await ownerOf(deps, key)
            const shown = (await shownKeys(deps))[key] ?? []
            expect(shown, `${key} after ${done} appends of ${what} and ${settled} more`).to.deep.equal(
              owner ? [owner] : [],
            )
            if (owner !== null) await set(deps, owner, { key: null })
            const next = await make(deps, key)
            expect(await ownerOf(deps, key)).to.equal(next)
          }
        }
      }
    }
  })

  it('waits for the end of the call before it releases a claim', async () => {
    const log = createMemoryLog()
    await make(node(dyingLog(log, ofBoard)), 'weekly').catch(() => {})
    const [event] = (await log.readAll(null, 10)).filter(({ type }) => type === claimed)
    if (event === undefined) throw new Error('the key was not claimed')
    const stop = new AbortController()
    let reads = 0
    const now = () => {
      // The clock is read twice before each pause.
      reads += 1
      if (reads > 4) stop.abort()
      return NOW_MS + 14_999
    }
    await settleBoardKeys({ commands: node(log), now }).react(event, stop.signal)
    expect(await ownerOf(node(log), 'weekly')).to.not.equal(null)
  })
})

describe('a call that pauses until its claim was released', () => {
  /** Creates a leaderboard with a claim that is released, and perhaps made by another, before it takes the key. */
  async function paused(meanwhile: (deps: Node) => Promise<unknown>) {
    const log = createMemoryLog()
    const deps = node(log)
    let isFirst = true
    const slow: Log = {
      ...log,
      append: async (stream, expected, events) => {
        if (stream.startsWith('board-') && isFirst) {
          isFirst = false
          await settle(deps)
          await meanwhile(deps)
        }
        return log.append(stream, expected, events)
      },
    }
    const id = await make(node(slow), 'weekly')
    return { deps, id }
  }

  it('claims the key again if it is free', async () => {
    const { deps, id } = await paused(async () => {})
    expect([(await stateOf(deps, id))?.key, await ownerOf(deps, 'weekly')]).to.deep.equal(['weekly', null])
    await settle(deps)
    expect([(await stateOf(deps, id))?.key, await ownerOf(deps, 'weekly')]).to.deep.equal(['weekly', id])
    expect(await refusalCodeOf(make(deps, 'weekly'))).to.equal('leaderboard_key_taken')
  })

  it('gives the key up if another leaderboard has it', async () => {
    let other = ''
    const { deps, id } = await paused(async (own) => {
      other = await make(own, 'weekly')
    })
    await settle(deps)
    expect([(await stateOf(deps, id))?.key, (await stateOf(deps, other))?.key]).to.deep.equal([null, 'weekly'])
    expect(await ownerOf(deps, 'weekly')).to.equal(other)
    const { length } = await deps.log.readAll(null, 1_000)
    await settle(deps)
    expect(await deps.log.readAll(null, 1_000)).to.have.length(length)
  })
})

describe('calls that change the key of one leaderboard at the same time', () => {
  /** A log on which `first` is done before the first append with an event of this type. */
  function interrupted(log: Log, before: string, first: () => Promise<unknown>): Log {
    let isDone = false
    return {
      ...log,
      append: async (stream, expected, events) => {
        if (!isDone && events.some(({ type }) => type === before)) {
          isDone = true
          await first()
        }
        return log.append(stream, expected, events)
      },
    }
  }

  it('keep a key that one of them takes again while the other has not released it yet', async () => {
    const log = createMemoryLog()
    const deps = node(log)
    const id = await make(deps, 'weekly')
    const takeAgain = () => set(deps, id, { key: 'weekly' })
    await set(node(interrupted(log, 'LeaderboardKeyReleased', takeAgain)), id, { key: 'daily' })
    expect([(await stateOf(deps, id))?.key, await ownerOf(deps, 'weekly')]).to.deep.equal(['weekly', id])
    expect(await ownerOf(deps, 'daily')).to.equal(null)
  })

  it('keep a key that one of them takes with its claim, after the other has claimed it too and was refused', async () => {
    const log = createMemoryLog()
    const deps = node(log)
    const id = await make(deps, null)
    let decisions = 0
    const refuseOnceClaimed = () => {
      decisions += 1
      if (decisions > 1) REFUSE()
    }
    const refused = async () => {
      const code = await refusalCodeOf(set(deps, id, { key: 'weekly' }, fresh(), refuseOnceClaimed))
      expect(code).to.equal('seen_another')
    }
    await set(node(interrupted(log, 'LeaderboardKeyChanged', refused)), id, { key: 'weekly' })
    expect([(await stateOf(deps, id))?.key, await ownerOf(deps, 'weekly')]).to.deep.equal(['weekly', id])
    await settle(deps)
    expect([(await stateOf(deps, id))?.key, await ownerOf(deps, 'weekly')]).to.deep.equal(['weekly', id])
  })

  it('free a key that the only one of them was refused', async () => {
    const log = createMemoryLog()
    const deps = node(log)
    const id = await make(deps, null)
    let decisions = 0
    const refuseOnceClaimed = () => {
      decisions += 1
      if (decisions > 1) REFUSE()
    }
    expect(await refusalCodeOf(set(deps, id, { key: 'weekly' }, fresh(), refuseOnceClaimed))).to.equal('seen_another')
    expect(await ownerOf(deps, 'weekly')).to.equal(null)
  })
})

describe('any concurrent changes of keys', () => {
  const KEYS = ['one', 'two', null] as const

  it('leave each key with the leaderboard that shows it, and free where none does', async () => {
    const step = fc.record({
      what: fc.constantFrom('make', 'set', 'set', 'set', 'refuse', 'archive'),
      board: fc.nat(2),
      key: fc.constantFrom(...KEYS),
      at: fc.nat(1),
      dies: fc.nat(9),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), fc.nat(), async (steps, seed) => {
        const log = createMemoryLog()
        let turn = seed
        const pauses = async () => {
          turn = (turn * 1_103_515_245 + 12_345) % 2_147_483_648
          for (let i = turn % 40; i > 0; i--) await Promise.resolve()
        }
        const slowly: Log = {
          ...log,
          append: async (...given) => {
            await pauses()
            return log.append(...given)
          },
        }
        const boards = [await make(node(log), 'one'), await make(node(log), null), await make(node(log), 'two')]
        const made: string[] = []
        const shared = [node(slowly), node(slowly)] as const
        const run = async ({ what, board, key, at, dies }: (typeof steps)[number], n: number) => {
          let appends = 0
          const deps = dies > 3 ? (shared[at] as Node) : node(dyingLog(slowly, () => ++appends > dies))
          const id = boards[board] ?? ''
          if (what === 'make') made.push(await make(deps, key, keyed(`make ${n}`)))
          else if (what === 'archive') await archive(deps, id, GAME, fresh())
          else await set(deps, id, { key }, fresh(), what === 'refuse' ? REFUSE : ALLOW)
        }
        await Promise.all(steps.map((one, n) => run(one, n).catch(() => {})))
        const deps = node(log)
        const before = await shownKeys(deps)
        for (const key of ['one', 'two']) {
          for (const board of before[key] ?? []) expect(await ownerOf(deps, key)).to.equal(board)
        }
        await settle(deps)
        const after = await shownKeys(deps)
        for (const key of ['one', 'two']) {
          const owner = await ownerOf(deps, key)
          expect(after[key] ?? []).to.deep.equal(owner === null ? [] : [owner])
        }
        expect((await loadState(deps, slots, slotsStream(GAME))).leaderboards.others).to.equal(0)
      }),
      { numRuns: 150 },
    )
  })

  it('settle a claim only for the leaderboard that made it', async () => {
    const deps = node(createMemoryLog())
    const id = await make(deps, 'weekly')
    const { claim } = (await claimOf(deps, 'weekly')) ?? { claim: '' }
    await settleClaim(deps, { game: GAME, board: id, key: 'weekly' }, 'another claim', fresh())
    expect(await claimOf(deps, 'weekly')).to.deep.equal({ board: id, claim })
  })
})
