// Concurrent reads by id share one MongoDB command, and never join a command that was already sent.

import { expect } from 'chai'
import type { Collection } from 'mongodb'
import type { Row } from '../../stores/mongodb/document-rows.ts'
import { createLookup, type Found } from '../../stores/mongodb/lookup.ts'
import { until } from '../until.ts'

interface Command {
  readonly ids: readonly string[]
  answer(rows: readonly Row[]): void
  fail(error: Error): void
}

/** A collection whose commands wait until the test answers them. */
function manualLookup() {
  const commands: Command[] = []
  const find = ({ _id }: { readonly _id: { readonly $in: readonly string[] } }) => ({
    toArray: () =>
      new Promise<readonly Row[]>((answer, fail) => {
        commands.push({ ids: _id.$in, answer, fail })
      }),
  })
  return { commands, lookup: createLookup({ find } as unknown as Collection<Row>, (call) => call) }
}

const rowOf = (id: string, n: number): Row => ({ _id: id, pos: `${n}`, doc: JSON.stringify({ n }) })
const bodyOf = (found: Found, id: string) => found.get(id)?.body ?? null

describe('the batched lookup by id in MongoDB', () => {
  it('sends a lookup at once if none is in flight, and batches lookups while one is', async () => {
    const { commands, lookup } = manualLookup()
    const first = lookup(['a'])
    const others = [lookup(['b']), lookup(['c', 'b']), lookup(['a'])]
    expect(commands.map(({ ids }) => ids)).to.deep.equal([['a']])
    commands[0]?.answer([rowOf('a', 1)])
    expect(bodyOf(await first, 'a')).to.deep.equal({ n: 1 })
    await until(() => commands.length > 1)
    expect(commands.map(({ ids }) => ids)).to.deep.equal([['a'], ['b', 'c', 'a']])
    commands[1]?.answer([rowOf('a', 2), rowOf('c', 3)])
    const [b, c, a] = await Promise.all(others)
    // Requested after the first command was sent, so it must see the present state.
    expect([b, c, a].map((found, n) => bodyOf(found ?? new Map(), 'bca'[n] ?? ''))).to.deep.equal([
      null,
      { n: 3 },
      { n: 2 },
    ])
  })

  it('rejects lookups whose answer never comes', async () => {
    const { commands, lookup } = manualLookup()
    void lookup(['a'])
    const second = lookup(['b'])
    await until(() => commands.length > 1)
    commands[1]?.answer([rowOf('b', 1)])
    expect(bodyOf(await second, 'b')).to.deep.equal({ n: 1 })
  })

  it('rejects all lookups of a failed batch, and sends later ones again', async () => {
    const { commands, lookup } = manualLookup()
    const outcomeOf = (one: Promise<Found>) => one.then(String, (error: Error) => error.message)
    const first = outcomeOf(lookup(['a']))
    const [second, third] = [outcomeOf(lookup(['b'])), outcomeOf(lookup(['c']))]
    commands[0]?.fail(new Error('gone'))
    await until(() => commands.length > 1)
    commands[1]?.fail(new Error('still gone'))
    expect(await Promise.all([first, second, third])).to.deep.equal(['gone', 'still gone', 'still gone'])
    const fourth = lookup(['d'])
    commands[2]?.answer([rowOf('d', 4)])
    expect(bodyOf(await fourth, 'd')).to.deep.equal({ n: 4 })
  })

  it('requests at most 1,000 ids per command', async () => {
    const { commands, lookup } = manualLookup()
    void lookup(['a'])
    for (let n = 0; n < 1_500; n += 1) void lookup([`id-${n}`])
    await until(() => commands.reduce((sum, { ids }) => sum + ids.length, 0) === 1_501)
    expect(Math.max(...commands.map(({ ids }) => ids.length))).to.equal(1_000)
  })
})
