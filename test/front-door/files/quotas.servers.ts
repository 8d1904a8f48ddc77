// Two nodes that share a log and a folder of files, and the limits of a bucket.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { builtProgram } from '../../crash/build.ts'
import { openSideBySide, type SideBySide } from '../../nodes/side-by-side.ts'
import { endSharedServers } from '../../servers/store-urls.ts'
import { clientToken, type Guest, type MadeGame, makeGame, signInGuest } from '../game-fixtures.ts'
import type { Body } from '../http-client.ts'
import type { World } from '../world.ts'
import { answered, contend, fulfil, LIMITS, leftOf, UPLOADS, usedBy, wrongRefusals } from './parallel.ts'

/** About a third of what is requested. */
const MAX = { max_bytes: 9_007, max_files: 61, player_max_bytes: 9_007, player_max_files: 61 }

after(endSharedServers)

describe('200 simultaneous uploads on two nodes', function () {
  this.timeout(300_000)
  let nodes: SideBySide
  let filesDir: string
  let worlds: [World, World]
  let game: MadeGame
  let ada: Guest

  before(async () => {
    builtProgram()
    filesDir = await mkdtemp(join(tmpdir(), 'scorebook-shared-files-'))
    nodes = await openSideBySide({ apis: 0, projectors: 1 })
    const [a, b] = [await nodes.startApi({ FILES_DIR: filesDir }), await nodes.startApi({ FILES_DIR: filesDir })]
    worlds = [a.world, b.world]
    game = await makeGame(a.world)
    ada = await signInGuest(a.world, game, await clientToken(a.world, game), 'Ada')
  })
  after(async () => {
    await nodes.close()
    await rm(filesDir, { recursive: true })
  })

  for (const limit of LIMITS) {
    it(`never exceed ${limit}, and fill it as far as their sizes allow`, async () => {
      const contest = { limit, max: MAX[limit] }
      const outcome = await contend(worlds, game, ada.token, contest)
      const { bucket, admitted, refused, unknown } = outcome
      expect([admitted.length + refused.length, unknown]).to.deep.equal([UPLOADS, 0])
      expect(usedBy(limit, admitted)).to.be.at.most(contest.max)
      expect(wrongRefusals(contest, outcome)).to.deep.equal([])
      // On the node that did not begin half of them.
      const kept = { ...outcome, admitted: admitted.filter((_, n) => n % 3 === 0) }
      expect(await fulfil(worlds[1], ada.token, kept)).to.deep.equal([])
      const bytes = kept.admitted.reduce((sum, { size }) => sum + size, 0)
      const isCounted = (body: Body) => body.bytes_used === bytes && body.files === kept.admitted.length
      await answered(worlds[1], 'GET', `/api/bkt/${bucket}/`, { token: ada.token }, isCounted)
    })
  }

  it('never exceed the limit when a node is killed during them, and release all reservations later', async () => {
    const max = MAX.max_bytes
    const meanwhile = async () => nodes.apis[1]?.kill()
    const outcome = await contend(worlds, game, ada.token, { limit: 'max_bytes', max, meanwhile })
    const { bucket, admitted, refused, unknown } = outcome
    expect(admitted.length + refused.length + unknown).to.equal(UPLOADS)
    expect(usedBy('max_bytes', admitted)).to.be.at.most(max)
    const kept = { ...outcome, admitted: admitted.filter((_, n) => n % 2 === 0) }
    expect(await fulfil(worlds[0], ada.token, kept)).to.deep.equal([])
    await nodes.apis[1]?.begin()
    expect(await nodes.stopAll()).to.deep.equal([])
    const { faults, files } = await leftOf(nodes, bucket, filesDir)
    expect(faults).to.deep.equal([])
    expect(files).to.equal(kept.admitted.length)
  })
})
