// The removal of a game with many pages of events: it is interrupted, the server restarts, and nothing of the game is
// left.

import { expect } from 'chai'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { until } from '../until.ts'
import { makeBoard, makeBucket, makeFile, makeGame, makePlayer } from './game-fixtures.ts'
import { deleteGame, eraseNow, untilErased } from './game-to-delete.ts'
import { storedWith } from './stored-texts.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const NAME = 'Qzpages'
const EARLY = 'Qzearly'
const LATE = 'Qzlate'
/** Some pages of events before the file, and as many after it. */
const SUBMISSIONS = 320
const CONCURRENCY = 16

/**
 * Fails every removal of file bytes, as an unavailable store does. Returns the number of tries, and what ends the
 * fault.
 */
function withoutRemoving(world: World): { readonly tries: () => number; end(): void } {
  let tries = 0
  const { memoryFiles, bucketFiles } = world
  if (bucketFiles !== undefined) {
    // The start of the server deletes an object that belongs to no file.
    bucketFiles.gate.fault = ({ method, path }) => {
      if (method !== 'DELETE' || !path.includes('/blob/')) return null
      tries++
      return 'cut'
    }
    const end = () => {
      bucketFiles.gate.fault = null
    }
    return { tries: () => tries, end }
  }
  if (memoryFiles === undefined) throw new Error('this world has no files')
  const { remove } = memoryFiles
  memoryFiles.remove = async () => {
    tries++
    throw new StoreUnavailable('the file store is unavailable')
  }
  const end = () => {
    memoryFiles.remove = remove
  }
  return { tries: () => tries, end }
}

describe('the deletion of a game with many pages of events', function () {
  this.timeout(120_000)
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  it('continues after restarts in the middle, and leaves nothing', async () => {
    const game = await makeGame(world, NAME)
    const board = await makeBoard(world, game, { name: EARLY, unique: false })
    const players = await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, n) => makePlayer(world, game, `${NAME} ${n}`)),
    )
    const submit = async () => {
      for (let n = 0; n < SUBMISSIONS; n += CONCURRENCY) {
        const sent = players.map((player) => ({ score: `${n}`, player }))
        const calls = sent.map((body) => world.call('POST', `/api/lb/${board}/score/`, { token: game.token, body }))
        for (const answer of await Promise.all(calls)) must(answer, 201)
      }
    }
    await submit()
    await makeFile(world, game, await makeBucket(world, game), `/${NAME}`)
    await submit()
    await makeBoard(world, game, { name: LATE })

    const removals = withoutRemoving(world)
    must(await deleteGame(world, game.id, NAME), 202)
    eraseNow(world)
    for (let stop = 0; stop < 2; stop++) {
      const before = removals.tries()
      await until(() => removals.tries() > before)
      // The pages before that of the file are removed. In embedded stores their bytes are overwritten at the end.
      if (ON_SERVERS) expect(await storedWith(world, EARLY)).to.deep.equal([])
      expect(await storedWith(world, LATE)).to.not.deep.equal([])
      await world.restart()
      expect(answerCode(await world.call('GET', `/api/lb/${board}/`, { token: game.token }))).to.equal(
        '401 token_rejected',
      )
    }
    removals.end()

    await untilErased(world, game.id)
    for (const text of [NAME, EARLY, LATE]) expect([text, await storedWith(world, text)]).to.deep.equal([text, []])
    expect(await world.files.blobs()).to.deep.equal([])
    const token = await tokenOf(world, world.operator)
    const { text } = await world.call('GET', '/api/sys/verify/', { token })
    const { equal, differences } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').result
    expect({ equal, differences }).to.deep.equal({ equal: true, differences: [] })
  })
})
