// The clock of a server was ahead, and was set back: times decrease within a stream. Backups, exports and restores go
// on.

import { join } from 'node:path'
import { expect } from 'chai'
import { command, newFolder } from '../../cli/service.ts'
import { type BackedUp, MASTER_KEY, openBackedUp, withRestored } from './backed-up.ts'

const AHEAD_MS = 2 * 3_600_000

describe('a log of a clock that was set back', () => {
  let world: BackedUp
  let offsetMs = 0
  const nowMs = () => Date.now() + offsetMs
  /** Of each submission, by the clock of its server. */
  const submittedMs: number[] = []

  before(async () => {
    world = await openBackedUp(nowMs)
    for (const [score, ms] of [
      ['11', 0],
      ['12', AHEAD_MS],
      ['13', 0],
    ] as const) {
      offsetMs = ms
      await world.client.submit(world.board, { player: world.ada, score })
      submittedMs.push(nowMs())
    }
    await world.backUp()
  })
  after(() => world.service.close())

  const scoreAfter = (...at: string[]) =>
    withRestored(world, at, async (service, client) => {
      const { json } = await service.run('verify', '--json')
      expect(json<{ equal: boolean }>().equal).to.equal(true)
      const { scores } = await client.scores(world.board)
      return scores.find(({ player }) => player === world.ada)?.score
    })

  it('is backed up, verified and restored with all of its events', async () => {
    const verified = await command(
      { MASTER_KEY, DATA_DIR: world.service.dataDir },
      'backup',
      'verify',
      world.destination,
    )
    expect(verified.code, verified.err).to.equal(0)
    expect(await scoreAfter()).to.equal('13')
  })

  it('is restored to an instant as the first events of each stream, up to the last one that is not later', async () => {
    const at = (ms: number) => ['--at', new Date(ms).toISOString()]
    expect(await scoreAfter(...at(submittedMs[0] ?? 0))).to.equal('11')
    // The submission of the clock that was ahead is before it in the log.
    expect(await scoreAfter(...at(submittedMs[2] ?? 0))).to.equal('13')
  })

  it('is exported and verified', async () => {
    const folder = join(await newFolder(), 'export')
    const { service } = world
    const exported = await service.run('history', 'export', '--all', '--out', folder)
    expect(exported.code, exported.err).to.equal(0)
    const verified = await command({}, 'history', 'verify', folder)
    expect(verified.code, verified.err).to.equal(0)
  })

  it('answers one score at an instant alike before and after somebody lists the board at it', async () => {
    const { client, board, ada } = world
    const { scores } = await client.scores(board)
    const id = scores.find(({ player }) => player === ada)?.id ?? ''
    const instant = new Date(submittedMs[2] ?? 0).toISOString()
    const read = async () => (await client.score(id, { as_of: instant })).score
    const alone = await read()
    const listed = (await client.scores(board, { as_of: instant })).scores.find(({ player }) => player === ada)?.score
    expect([alone, await read(), listed]).to.deep.equal(['13', '13', '13'])
  })
})
